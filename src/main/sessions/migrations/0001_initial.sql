-- 0001 initial: the whole schema of one profile's session database. Older code does not exist.
-- Times are integer milliseconds (UTC), money is integer micro-USD. The rules that the database itself keeps
-- (closed sets, "at most one", frozen rows, legal admission steps) stand here and nowhere else.
CREATE TABLE schema_version(version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL, app_version TEXT NOT NULL, backup_file TEXT) STRICT;
CREATE TABLE state_meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE runtime_epoch(singleton INTEGER PRIMARY KEY CHECK(singleton=1), epoch INTEGER NOT NULL, instance_id TEXT NOT NULL, backend_id TEXT NOT NULL, begun_at INTEGER NOT NULL) STRICT;
CREATE TABLE system_prompts(hash TEXT PRIMARY KEY CHECK(length(hash)=64), prompt TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE TABLE conversations(id TEXT PRIMARY KEY, tip_session_id TEXT NOT NULL,
  relation TEXT NOT NULL DEFAULT 'root' CHECK(relation IN('root','branch','reset','delegate','worker')),
  parent_conversation_id TEXT REFERENCES conversations(id) ON DELETE SET NULL,
  source TEXT NOT NULL, session_key TEXT, workspace TEXT,
  title TEXT, title_source TEXT CHECK(title_source IN('derived','llm','user')), preview TEXT NOT NULL DEFAULT '',
  archived INTEGER NOT NULL DEFAULT 0 CHECK(archived IN(0,1)), archived_by TEXT CHECK(archived_by IN('user','auto')),
  pinned INTEGER NOT NULL DEFAULT 0 CHECK(pinned IN(0,1)), hidden INTEGER NOT NULL DEFAULT 0 CHECK(hidden IN(0,1)),
  last_read_at INTEGER, created_at INTEGER NOT NULL, last_activity_at INTEGER NOT NULL, activity_note TEXT,
  runtime_generation INTEGER NOT NULL DEFAULT 0, runtime_revision INTEGER NOT NULL DEFAULT 0,
  CHECK((title IS NULL)=(title_source IS NULL)), CHECK((archived=0)=(archived_by IS NULL))) STRICT;
CREATE TABLE sessions(id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  segment_no INTEGER NOT NULL DEFAULT 0, parent_session_id TEXT REFERENCES sessions(id) ON DELETE SET NULL,
  source TEXT NOT NULL, model TEXT, provider TEXT,
  model_config TEXT NOT NULL DEFAULT '{}' CHECK(json_valid(model_config)), tool_names TEXT NOT NULL DEFAULT '[]' CHECK(json_valid(tool_names)),
  system_prompt_hash TEXT REFERENCES system_prompts(hash), cwd TEXT, git_branch TEXT, git_repo_root TEXT,
  started_at INTEGER NOT NULL, ended_at INTEGER, end_reason TEXT,
  message_count INTEGER NOT NULL DEFAULT 0, tool_call_count INTEGER NOT NULL DEFAULT 0, rewind_count INTEGER NOT NULL DEFAULT 0,
  api_call_count INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0, cache_write_tokens INTEGER NOT NULL DEFAULT 0, reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  est_cost_micros INTEGER NOT NULL DEFAULT 0, act_cost_micros INTEGER, cost_status TEXT,
  compression_cooldown_until INTEGER, compression_error TEXT,
  compression_ineffective_count INTEGER NOT NULL DEFAULT 0, compression_fallback_streak INTEGER NOT NULL DEFAULT 0,
  import_ref TEXT UNIQUE, UNIQUE(conversation_id, segment_no),
  CHECK((ended_at IS NULL)=(end_reason IS NULL)), CHECK((segment_no=0)=(id=conversation_id))) STRICT;
CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, pos INTEGER NOT NULL, generation INTEGER NOT NULL, admission_id TEXT,
  role TEXT NOT NULL CHECK(role IN('system','developer','user','assistant','tool')),
  content TEXT, content_type TEXT NOT NULL DEFAULT 'text' CHECK(content_type IN('text','parts')), api_content TEXT,
  tool_calls TEXT CHECK(tool_calls IS NULL OR json_valid(tool_calls)), tool_call_id TEXT, tool_name TEXT, call_uid TEXT, call_index INTEGER,
  effect_disposition TEXT CHECK(effect_disposition IN('none','done','unknown','not_executed')),
  reasoning TEXT, provider_items TEXT CHECK(provider_items IS NULL OR json_valid(provider_items)), finish_reason TEXT, token_count INTEGER,
  display_kind TEXT, display_metadata TEXT CHECK(display_metadata IS NULL OR json_valid(display_metadata)), external_id TEXT,
  observed INTEGER NOT NULL DEFAULT 0, is_summary INTEGER NOT NULL DEFAULT 0, carried INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1 CHECK(active IN(0,1)), compacted INTEGER NOT NULL DEFAULT 0 CHECK(compacted IN(0,1)), created_at INTEGER NOT NULL,
  CHECK(NOT(active=1 AND compacted=1)), CHECK(tool_calls IS NULL OR role='assistant'), CHECK((role='tool')=(call_uid IS NOT NULL)),
  CHECK((call_uid IS NULL)=(call_index IS NULL)), CHECK(content_type='text' OR json_valid(content))) STRICT;
CREATE TABLE session_admissions(seq INTEGER PRIMARY KEY AUTOINCREMENT, admission_id TEXT NOT NULL UNIQUE,
  principal_id TEXT NOT NULL, target_session_id TEXT NOT NULL, request_id TEXT NOT NULL CHECK(length(request_id) BETWEEN 1 AND 1024),
  intent TEXT NOT NULL CHECK(intent IN('queue','steer','redirect')), status TEXT NOT NULL CHECK(status IN('queued','started','unknown','terminal')),
  outcome TEXT CHECK(outcome IN('completed','interrupted','rejected','failed','cancelled','merged')), end_reason TEXT,
  payload TEXT NOT NULL CHECK(json_valid(payload)), payload_digest TEXT NOT NULL CHECK(length(payload_digest)=64),
  generation INTEGER, owner_epoch INTEGER, attempts INTEGER NOT NULL DEFAULT 0, resume INTEGER NOT NULL DEFAULT 0 CHECK(resume IN(0,1)),
  needs_user INTEGER NOT NULL DEFAULT 0 CHECK(needs_user IN(0,1)), evidence TEXT CHECK(evidence IS NULL OR json_valid(evidence)),
  result TEXT CHECK(result IS NULL OR json_valid(result)), submitted_at INTEGER NOT NULL, started_at INTEGER, settled_at INTEGER,
  UNIQUE(principal_id, target_session_id, request_id), CHECK((status='terminal')=(outcome IS NOT NULL)),
  CHECK(status NOT IN('started','unknown') OR (generation IS NOT NULL AND owner_epoch IS NOT NULL)), CHECK(needs_user=0 OR status='unknown')) STRICT;
CREATE TABLE session_model_usage(session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, model TEXT NOT NULL,
  billing_provider TEXT NOT NULL DEFAULT '', billing_base_url TEXT NOT NULL DEFAULT '', billing_mode TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '',
  api_call_count INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0, cache_write_tokens INTEGER NOT NULL DEFAULT 0, reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  est_cost_micros INTEGER NOT NULL DEFAULT 0, act_cost_micros INTEGER, cost_status TEXT, cost_source TEXT, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
  PRIMARY KEY(session_id, model, billing_provider, billing_base_url, billing_mode, task)) STRICT, WITHOUT ROWID;
CREATE TABLE worker_executions(execution_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, kind TEXT NOT NULL CHECK(kind IN('cron','child','compute','kanban')),
  status TEXT NOT NULL CHECK(status IN('registered','running','unknown','terminal')), outcome TEXT, owner_epoch INTEGER NOT NULL, generation INTEGER NOT NULL,
  backend_id TEXT, ref TEXT, adoption_digest TEXT NOT NULL, last_sequence INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
CREATE TABLE worker_receipts(execution_id TEXT NOT NULL REFERENCES worker_executions(execution_id) ON DELETE CASCADE, sequence INTEGER NOT NULL CHECK(sequence>=1),
  operation TEXT NOT NULL, payload_digest TEXT NOT NULL, result TEXT NOT NULL CHECK(json_valid(result)), created_at INTEGER NOT NULL, PRIMARY KEY(execution_id, sequence)) STRICT, WITHOUT ROWID;
CREATE TABLE session_turn_leases(conversation_id TEXT PRIMARY KEY REFERENCES conversations(id) ON DELETE RESTRICT, holder TEXT NOT NULL, backend_id TEXT NOT NULL,
  generation INTEGER NOT NULL, admission_id TEXT, purpose TEXT NOT NULL CHECK(purpose IN('turn','compress','rewind','delete','import','recover')),
  acquired_at INTEGER NOT NULL, renewed_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE compression_locks(session_id TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE RESTRICT, holder TEXT NOT NULL, backend_id TEXT NOT NULL,
  generation INTEGER NOT NULL, acquired_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE gateway_heartbeats(backend_id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK(kind IN('core','cli','worker','kanban')), pid INTEGER NOT NULL, host TEXT NOT NULL,
  profile TEXT NOT NULL, run_lock TEXT, app_version TEXT NOT NULL, started_at INTEGER NOT NULL, last_heartbeat INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE conversation_generations(source TEXT NOT NULL, session_key TEXT NOT NULL, generation INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY(source, session_key)) STRICT, WITHOUT ROWID;
CREATE TABLE async_delegations(delegation_id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, origin_session_id TEXT NOT NULL, child_session_id TEXT, task TEXT NOT NULL CHECK(json_valid(task)),
  state TEXT NOT NULL CHECK(state IN('running','finalizing','completed','failed','interrupted','unknown')), owner_backend_id TEXT NOT NULL, owner_epoch INTEGER NOT NULL,
  dispatched_at INTEGER NOT NULL, completed_at INTEGER, updated_at INTEGER NOT NULL, result TEXT CHECK(result IS NULL OR json_valid(result)),
  delivery_state TEXT NOT NULL DEFAULT 'pending' CHECK(delivery_state IN('pending','delivered','dropped')), delivery_attempts INTEGER NOT NULL DEFAULT 0,
  delivery_claim TEXT, delivery_claimed_at INTEGER, delivered_at INTEGER, CHECK((state IN('running','finalizing'))=(completed_at IS NULL))) STRICT;
CREATE TABLE fts_dirty(message_id INTEGER PRIMARY KEY) STRICT;
CREATE VIRTUAL TABLE messages_fts USING fts5(body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(body, content='', contentless_delete=1, tokenize='trigram');
CREATE INDEX ix_conv_list ON conversations(archived, hidden, last_activity_at DESC, id DESC);
CREATE INDEX ix_conv_pinned ON conversations(last_activity_at DESC) WHERE pinned=1;
CREATE INDEX ix_conv_key ON conversations(source, session_key, created_at DESC) WHERE session_key IS NOT NULL;
CREATE INDEX ix_conv_parent ON conversations(parent_conversation_id) WHERE parent_conversation_id IS NOT NULL;
CREATE INDEX ix_conv_title ON conversations(title COLLATE NOCASE) WHERE title IS NOT NULL;
CREATE INDEX ix_sess_parent ON sessions(parent_session_id) WHERE parent_session_id IS NOT NULL;
CREATE INDEX ix_sess_prompt ON sessions(system_prompt_hash) WHERE system_prompt_hash IS NOT NULL;
CREATE INDEX ix_msg_order ON messages(session_id, pos, id);
CREATE UNIQUE INDEX ux_msg_uid ON messages(session_id, uid) WHERE active=1;
CREATE UNIQUE INDEX ux_msg_result ON messages(session_id, call_uid, call_index) WHERE role='tool' AND active=1;
CREATE INDEX ix_msg_admission ON messages(admission_id) WHERE admission_id IS NOT NULL;
CREATE INDEX ix_msg_calls ON messages(session_id) WHERE tool_calls IS NOT NULL;
CREATE INDEX ix_msg_external ON messages(session_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX ix_adm_fifo ON session_admissions(target_session_id, status, seq);
CREATE UNIQUE INDEX ux_adm_running ON session_admissions(target_session_id) WHERE status='started' AND intent<>'steer';
-- Lists ask which conversations have something open; without this they would read every settled input of the home.
CREATE INDEX ix_adm_open ON session_admissions(status, target_session_id) WHERE status IN('queued','started','unknown');
CREATE INDEX ix_adm_settled ON session_admissions(settled_at) WHERE status='terminal';
CREATE INDEX ix_wex_session ON worker_executions(session_id, status);
CREATE INDEX ix_lease_exp ON session_turn_leases(expires_at);
CREATE INDEX ix_deleg_delivery ON async_delegations(delivery_state, completed_at);
CREATE TRIGGER tg_gen_nodelete BEFORE DELETE ON conversation_generations BEGIN SELECT RAISE(ABORT,'generation_never_pruned'); END;
CREATE TRIGGER tg_gen_monotonic BEFORE UPDATE ON conversation_generations WHEN new.generation<=old.generation OR new.source<>old.source OR new.session_key<>old.session_key BEGIN SELECT RAISE(ABORT,'generation_monotonic'); END;
CREATE TRIGGER tg_conv_gen BEFORE UPDATE OF runtime_generation ON conversations WHEN new.runtime_generation<old.runtime_generation BEGIN SELECT RAISE(ABORT,'generation_monotonic'); END;
CREATE TRIGGER tg_adm_flow BEFORE UPDATE OF status ON session_admissions WHEN old.status='terminal' OR (old.status='queued' AND new.status='unknown') OR (old.status='started' AND new.status='queued') BEGIN SELECT RAISE(ABORT,'illegal_transition'); END;
CREATE TRIGGER tg_msg_frozen BEFORE UPDATE OF uid, session_id, pos, role, content, content_type, tool_calls, tool_call_id, tool_name, call_uid, call_index, created_at ON messages
  WHEN NOT EXISTS(SELECT 1 FROM state_meta WHERE key='redaction_unlock') BEGIN SELECT RAISE(ABORT,'transcript_immutable'); END;
CREATE TRIGGER tg_msg_api_once BEFORE UPDATE OF api_content ON messages WHEN old.api_content IS NOT NULL
  AND NOT EXISTS(SELECT 1 FROM state_meta WHERE key='redaction_unlock') BEGIN SELECT RAISE(ABORT,'transcript_immutable'); END;
