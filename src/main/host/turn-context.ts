/** Gathers what one turn needs (kernel 1.2): provider, tools, prompt, limits, in the state they have when it begins. */
import type { ModelPort, ModelResponse, ProviderFailure, ToolsPort, TurnContext } from '../kernel/index.ts'
import { getConversation } from '../sessions/index.ts'
import type { Faults } from '../storage/index.ts'
import type { Core } from './core.ts'
import { ensureFolder } from './folders.ts'
import { workspaceOf } from './home.ts'
import { createLedger, createPromptPort } from './ledger.ts'
import { promptParts } from './prompt-parts.ts'
import type { TurnStart } from './turn-runner.ts'

export interface ToolBox {
  /** The tools of one conversation, frozen when the turn begins. */
  session(conversation: TurnContext['identity']['conversation'], contextTokens: number | null): ToolsPort
  isReadOnly(tool: string): boolean
}

export function turnContextFor(
  core: Core,
  tools: ToolBox,
  shell: { surface: string; random: () => number; faults: Faults },
): (start: TurnStart) => Promise<TurnContext> {
  const facts = { store: core.store, clock: core.clock, epoch: core.epoch }
  return async ({ admission, lease, session, turn, live, signal }) => {
    const { conversation } = lease
    const cwd = getConversation(core.store.read, conversation).cwd ?? core.defaultCwd()
    if (cwd === workspaceOf(core.home)) await ensureFolder(cwd)
    const model = await bindModel(core)
    const window =
      core.config.get('model.context_length') ||
      core.providers.contextTokens(model.binding.provider, model.binding.model)
    const box = tools.session(conversation, window)
    return {
      identity: { turn, conversation, session, admission: admission.id },
      lease,
      input: { text: admission.text, resume: admission.resume },
      cwd,
      ledger: createLedger(facts),
      prompts: createPromptPort(facts, model.binding, () =>
        promptParts({
          home: core.home,
          cwd,
          binding: model.binding,
          toolNames: box.definitions.map((tool) => tool.function.name),
          surface: shell.surface,
          nowMs: core.clock.now(),
        }),
      ),
      model,
      tools: box,
      events: live,
      clock: core.clock,
      limits: {
        iterations: core.config.get('agent.max_turns'),
        apiAttempts: core.config.get('agent.api_max_retries'),
        contextTokens: window,
      },
      signal,
      ask: async (question, toolId) => {
        core.emit(conversation, 'status.update', { kind: 'waiting_approval', text: question.tool })
        const asked = core.questions.ask({ conversation, session, turn, toolId, question, signal })
        core.rowChanged(conversation)
        const record = await asked
        core.rowChanged(conversation)
        return record
      },
      reach: (point) => shell.faults.reach(point),
      random: shell.random,
    }
  }
}

/** The provider as configured now. One that cannot be used answers with its refusal, so that the turn ends by it. */
async function bindModel(core: Core): Promise<ModelPort> {
  const provider = core.config.get('model.provider')
  const bound = await core.providers.bind({
    provider,
    model: core.config.get('model.default'),
    baseUrl: core.config.get('model.base_url'),
  })
  if (bound.ok) return bound.value
  const { kind, message, next } = bound.refusal
  return refusingModel(provider, core.config.get('model.default'), {
    kind: kind === 'no_key' ? 'auth' : 'format_error',
    message,
    next,
    status: null,
    retryAfterMs: null,
  })
}

function refusingModel(provider: string, model: string, failure: ProviderFailure): ModelPort {
  const partial: ModelResponse = { text: '', reasoning: null, calls: [], finishReason: null, usage: null, model }
  return {
    binding: { provider, model: model || 'none', baseUrl: '' },
    async *stream() {
      yield { type: 'failed', failure, partial }
    },
  }
}
