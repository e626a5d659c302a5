/** The chapters of the long answer, in both languages; the code is shared. */

type Both = readonly [en: string, zh: string]
export interface Chapter {
  readonly title: Both
  readonly prose: Both
  readonly code: { readonly language: string; readonly text: string } | null
}

export const CHAPTERS: readonly Chapter[] = [
  {
    title: ['One ledger', '一本账'],
    prose: [
      `Everything that was said and done stands in one file on your disk. The window you look at is a view of that file and never the other way round: close it, and the conversation is still there. Pieces of text that are being streamed live in memory only. They disappear the moment the stored message takes their place, and because both hold the same words, you do not notice the change.

That order has a price. A message must be on the disk before anyone may act on it, so each step waits for a write. On an ordinary machine that is a few milliseconds, far less than a model needs to think.`,
      `说过的话、做过的事，都写在你磁盘上的一个文件里。你看到的窗口只是这个文件的一个视图，而不是反过来：关掉窗口，对话仍然在。正在流式输出的文字只存在于内存中；等保存好的消息取代它们，它们就消失，而两者内容相同，所以你察觉不到变化。

这个顺序是有代价的：消息必须先写到磁盘，才能据此行动，因此每一步都要等待一次写入。在普通机器上这只要几毫秒，远少于模型思考的时间。`,
    ],
    code: {
      language: 'sql',
      text: `-- A row is added only while its writer still holds the conversation.
insert into messages (session_id, pos, role, content)
select l.session_id, coalesce(max(m.pos), 0) + 1, :role, :content
from leases l
left join messages m on m.session_id = l.session_id
where l.session_id = :session and l.holder = :holder
group by l.session_id;`,
    },
  },
  {
    title: ['Stored before it runs', '先保存，后执行'],
    prose: [
      `When a model asks for a tool, the request is written down first. Only then does the tool run. If the machine loses power in between, the next start finds a request without a result and says so honestly: *the outcome is unknown*. It is never repeated behind your back, because a command that ran once may not be safe to run twice.

The type system keeps this rule. The function that runs tools takes a value that only the ledger can make.`,
      `当模型要使用工具时，请求会先被写下来，然后工具才会运行。如果中间断电，下次启动会发现一个没有结果的请求，并如实说明：*结果未知*。它绝不会在你不知情时重复执行，因为运行过一次的命令，再运行一次未必安全。

类型系统守着这条规则：运行工具的函数只接受账本才能产生的值。`,
    ],
    code: {
      language: 'ts',
      text: `declare const recorded: unique symbol
type Recorded<T> = T & { readonly [recorded]: true }

interface Ledger {
  recordCalls(plan: ToolPlan): Promise<Recorded<ToolPlan>>
}

/** Cannot be called with a plan that was not stored. */
export async function runTools(plan: Recorded<ToolPlan>, signal: AbortSignal): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const call of plan.calls) {
    if (signal.aborted) break
    outcomes.push(await call.run(signal))
  }
  return outcomes
}`,
    },
  },
  {
    title: ['Waiting without hurry', '从容地等待'],
    prose: [
      `Providers fail now and then: they are overloaded, or a network goes away. Herma waits, a little longer each time, and tries again. When a provider says how long to wait, that is how long it waits. After the third attempt it stops and tells you what happened and what you can do.

The waiting time has some chance in it. Without it, a thousand clients that failed together would all come back together.`,
      `服务偶尔会出错：过载，或者网络中断。Herma 会等待，每次等得更久一点，然后重试。如果服务说明了要等多久，就按它说的等。第三次之后它会停下，告诉你发生了什么、可以怎么做。

等待时间里带有一点随机性。否则，同时失败的一千个客户端会同时回来。`,
    ],
    code: {
      language: 'python',
      text: `import random

def backoff_seconds(attempt: int, retry_after: float | None) -> float:
    """2, 4, 8 ... 60 seconds, plus up to half of it."""
    if retry_after is not None and retry_after > 0:
        return min(retry_after, 600)
    base = min(2 * 2 ** (attempt - 1), 60)
    return base * (1 + random.random() / 2)`,
    },
  },
  {
    title: ['One writer at a time', '同一时刻只有一个写者'],
    prose: [
      `Two windows may show the same conversation, but only one process continues it. The right to do so is a lease with an end: whoever holds it renews it, and whoever dies stops renewing. Another process can then take over, and the first one, should it wake up after all, finds its next write refused.

A lock file would not do. It survives its owner, and nobody can tell a slow owner from a dead one.`,
      `两个窗口可以显示同一段对话，但只有一个进程能继续它。这个权利是一份有期限的租约：持有者不断续约，死去的进程自然停止续约。别的进程随后可以接手；如果前一个又醒过来，它的下一次写入会被拒绝。

锁文件做不到这一点：它比主人活得更久，而且没人能分清主人是慢还是已经死了。`,
    ],
    code: {
      language: 'rust',
      text: `pub struct Lease {
    holder: String,
    generation: u64,
    expires_at: u64,
}

impl Lease {
    /// A lease that ran out belongs to nobody, whatever its holder thinks.
    pub fn holds(&self, who: &str, generation: u64, now: u64) -> bool {
        self.holder == who && self.generation == generation && now < self.expires_at
    }
}`,
    },
  },
  {
    title: ['Asking first', '先问一声'],
    prose: [
      `Some commands delete, overwrite or publish. Before one of these runs, Herma shows you the complete command and waits. You can allow it once, for this session, or always; if nobody answers, the answer is no. The wait does not count against the tool’s own time.

- **Once** covers this call and nothing else.
- **This session** ends with the conversation.
- **Always** is written to your configuration, where you can take it back.`,
      `有些命令会删除、覆盖或发布内容。在它们运行之前，Herma 会给你看完整的命令并等待。你可以允许一次、允许本次会话，或始终允许；没有人回答，就等于拒绝。等待的时间不计入工具自己的时限。

- **一次**只适用于这一次调用。
- **本次会话**随对话结束。
- **始终**会写入你的配置，你可以随时收回。`,
    ],
    code: {
      language: 'bash',
      text: `# Harmless: runs at once.
ls -la ./reports

# Deletes: is shown to you first, with the folder it would run in.
rm -rf ./reports/old && mv ./reports/new ./reports/current`,
    },
  },
  {
    title: ['Stopping', '停止'],
    prose: [
      `Stopping is a request that travels down to the socket. The provider sees the connection close, the tool’s process group gets a signal, and whatever text had arrived becomes a stored message marked as interrupted. The next turn knows that it was interrupted and does not pretend otherwise.`,
      `停止是一个一直传到网络连接的请求：服务会看到连接关闭，工具的进程组会收到信号，已经到达的文字会保存为一条标记为“已中断”的消息。下一轮知道它被中断过，不会假装没有发生。`,
    ],
    code: {
      language: 'go',
      text: `func stream(ctx context.Context, lines <-chan string, show func(string)) (string, error) {
	var kept strings.Builder
	for {
		select {
		case <-ctx.Done():
			return kept.String(), ctx.Err() // what arrived is kept
		case line, ok := <-lines:
			if !ok {
				return kept.String(), nil
			}
			kept.WriteString(line)
			show(line)
		}
	}
}`,
    },
  },
  {
    title: ['Configuration', '配置'],
    prose: [
      `Settings are a plain file with your comments kept. Keys of providers never stand in it: they live in the secret store of your system, or, on a machine without one, in a file that only you can read, and only after you said so.`,
      `设置是一个普通文件，你的注释会被保留。服务的密钥从不写在里面：它们保存在系统的密钥库中；没有密钥库的机器上，则保存在只有你能读取的文件里，而且要先经过你同意。`,
    ],
    code: {
      language: 'yaml',
      text: `model:
  provider: demo        # choose a real one in the settings
  default: ""
agent:
  max_turns: 500
  api_max_retries: 3
approvals:
  mode: manual
  timeout_seconds: 300`,
    },
  },
  {
    title: ['On the wire', '线上的样子'],
    prose: [
      `The screens speak with the core in small messages, and each message names its profile. An event is never a fact: if one gets lost, the screen reads the ledger again and is right. So a window can be reloaded in the middle of an answer, and a second one can be opened beside it.`,
      `界面与核心之间用小消息交谈，每条消息都写明所属的配置。事件从来不是事实：丢了一个，界面再读一遍账本，就又正确了。所以你可以在回答进行到一半时重新加载窗口，也可以在旁边再开一个。`,
    ],
    code: {
      language: 'json',
      text: `{
  "jsonrpc": "2.0",
  "id": 7,
  "method": "prompt.submit",
  "params": {
    "profile": "default",
    "conversation_id": "c_01",
    "request_id": "r_01",
    "text": "long answer"
  }
}`,
    },
  },
  {
    title: ['A board that nobody can lie to', '一块不会说谎的看板'],
    prose: [
      `Work that takes longer than a conversation becomes a card. A worker claims it, works in a process of its own, and reports its heartbeat while it does. A card never moves because somebody dragged it: dragging asks for a change, one table says whether that change is allowed from here, and the answer moves the card. If a worker dies, its claim runs out and the card is free again.

Two workers that reach for one card at the same moment both send the same statement. The database lets one of them change a row and tells the other that nothing was there to change.`,
      `比一次对话更长的工作会变成一张卡片。一个工人认领它，在自己的进程里工作，并在此期间报告心跳。卡片从不因为有人拖动就移动：拖动是请求一次改变，由一张表决定此刻是否允许，得到答复后卡片才移动。工人死了，它的认领会到期，卡片重新空闲。

两个工人同时去拿同一张卡片时，发出的是同一条语句。数据库让其中一个改动了一行，并告诉另一个：没有可改的内容。`,
    ],
    code: {
      language: 'c',
      text: `/* The whole idea of a claim: compare, and swap only if nothing changed. */
bool claim(_Atomic uint32_t *owner, uint32_t me) {
    uint32_t nobody = 0;
    return atomic_compare_exchange_strong(owner, &nobody, me);
}`,
    },
  },
  {
    title: ['Looking at it', '看上去的样子'],
    prose: [
      `A long answer is drawn in parts. What is far above the window costs nothing, the part being written is parsed again with each piece, and everything finished stays as it is. Scroll up while text arrives and the view stays where you put it; go back to the end and it follows again.

Try it now: scroll, select a paragraph, copy a code block, or press *Stop*.`,
      `长回答是分段绘制的：远在窗口之上的内容不花任何代价，正在写的部分随每一小段重新解析，已经完成的部分保持不动。文字到达时向上滚动，视图会停在你放的位置；回到末尾，它又会跟随。

现在就试试：滚动、选中一段、复制一个代码块，或者按下*停止*。`,
    ],
    code: {
      language: 'tsx',
      text: `export function LiveTurn({ text, isFollowing }: { text: string; isFollowing: boolean }) {
  const end = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isFollowing) end.current?.scrollIntoView({ block: 'end' })
  }, [text, isFollowing])
  return (
    <article aria-live="polite">
      <Markdown>{text}</Markdown>
      <div ref={end} />
    </article>
  )
}`,
    },
  },
  {
    title: ['In numbers', '数字'],
    prose: [
      `| What | Limit | Why |
| --- | ---: | --- |
| Attempts for one request | 3 | a fourth rarely helps |
| Tools side by side | 8 | more makes a laptop slow |
| Silence of a person | 300 s | then the answer is no |
| Silence of a provider | 180 s | then it is asked again |
| A lease without renewal | 300 s | then another may take over |

The numbers are not magic. They were chosen to be longer than ordinary slowness and shorter than patience.`,
      `| 内容 | 上限 | 原因 |
| --- | ---: | --- |
| 一次请求的尝试次数 | 3 | 第四次很少有用 |
| 并行的工具 | 8 | 再多会让笔记本变慢 |
| 等待人的回答 | 300 秒 | 之后视为拒绝 |
| 服务的沉默 | 180 秒 | 之后重新请求 |
| 未续约的租约 | 300 秒 | 之后别人可以接手 |

这些数字并不神奇：它们比一般的缓慢更长，比人的耐心更短。`,
    ],
    code: {
      language: 'css',
      text: `/* Motion is a courtesy, not a fact: it yields to the reader's wish. */
@media (prefers-reduced-motion: reduce) {
  .live-turn {
    animation: none;
  }
}`,
    },
  },
]
