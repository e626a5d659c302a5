/**
 * The tool story: a harmless command with live output, a command that a person has to allow, then a look at what it
 * did. Where it stands is read from the messages alone, so a denied or failed step is told as what it was.
 */
import { answer, calling, type DemoReply, type Story } from '../story.ts'

export const DEMO_FILE = 'herma-demo.txt'
const WATCHED = 'for n in 1 2 3 4; do echo "step $n of 4"; sleep 0.5; done'
const WRITTEN = 'Written by Herma'
/** Deleting is what asks; the file is the demo's own. */
const WRITING = `rm -f ${DEMO_FILE} && printf '${WRITTEN}\\n' > ${DEMO_FILE}`

export const tools: Story = {
  name: 'tools',
  matches: ({ prompt, rounds }) =>
    rounds > 0 ||
    (/\b(?:run|commands?|files?|terminal|shell|tools?|approvals?)\b/i.test(prompt) && prompt.length < 2_000) ||
    /运行|执行|命令|文件|终端|工具|审批/.test(prompt),
  reply(request) {
    const say = SENTENCES[request.language]
    if (!request.tools.includes('terminal')) return answer(say.noTools)
    const [watched, written, read] = request.results
    if (request.rounds === 0) return calling(say.begin, 'terminal', { command: WATCHED })
    if (request.rounds === 1) return stoppedBy(watched, say) ?? calling(say.ask, 'terminal', { command: WRITING })
    if (request.rounds === 2 && request.tools.includes('read_file'))
      return stoppedBy(written, say) ?? calling(say.read, 'read_file', { path: DEMO_FILE })
    return stoppedBy(written, say) ?? answer(read?.includes(WRITTEN) ? say.granted : say.unread)
  },
}

/** The honest end of the story when a command did not do what it was for; null when it did. */
function stoppedBy(result: string | undefined, say: Sentences): DemoReply | null {
  const outcome = outcomeOf(result ?? '')
  if (outcome === 'done') return null
  return answer(outcome === 'denied' ? say.denied : say.failed)
}

/**
 * Reads a terminal result: JSON with an exit code when the command ran, a sentence when it was not allowed to. Whatever
 * is neither counts as failed, so that the demo never claims a success it has not seen.
 */
export function outcomeOf(result: string): 'done' | 'denied' | 'failed' {
  const exit = exitCodeOf(result)
  if (exit !== undefined) return exit === 0 ? 'done' : 'failed'
  return /^(?:not run|blocked)\b|\b(?:denied|declined|not (?:allowed|approved|permitted))\b/i.test(result)
    ? 'denied'
    : 'failed'
}

/** undefined: the result is no JSON object at all. */
function exitCodeOf(result: string): unknown {
  if (!result.trimStart().startsWith('{')) return undefined
  try {
    return (JSON.parse(result) as { exit_code?: unknown }).exit_code ?? null
  } catch {
    // A long output was cut in the middle of its JSON; the code stands somewhere in it, or is not known.
    const code = /"exit_code"\s*:\s*(-?\d+)/.exec(result)?.[1]
    return code === undefined ? null : Number(code)
  }
}

interface Sentences {
  readonly begin: string
  readonly ask: string
  readonly read: string
  readonly granted: string
  /** The command ran, and the file was not seen. */
  readonly unread: string
  readonly denied: string
  readonly failed: string
  readonly noTools: string
}

const SENTENCES: Readonly<Record<'en' | 'zh', Sentences>> = {
  en: {
    begin: 'I will run a small command first. Its output arrives line by line.',
    ask: `That worked. Next I would like to write \`${DEMO_FILE}\`. The command deletes an old copy first, so Herma asks you before it runs.`,
    read: 'The file is written. Let me read it back.',
    granted: `Done. You allowed the command, it wrote \`${DEMO_FILE}\` in the working folder, and I read it back.

| Step | Tool | Result |
| --- | --- | --- |
| 1 | \`terminal\` | four lines of live output |
| 2 | \`terminal\` | ran after you allowed it |
| 3 | \`read_file\` | the file’s content |

Each step was stored before it ran. You may delete the file; nothing else was changed. I am a script, so this is all I can do with it; a model would go on from here.`,
    unread: `You allowed the command and it ended well, but this script did not get to see \`${DEMO_FILE}\` afterwards. Whether the file is there is best looked up in the folder.`,
    denied: `The command was not allowed, so it never ran: \`${DEMO_FILE}\` was **not** written and nothing was changed.

A denied command is not tried again in other words. Send **run a command** to play this script once more.`,
    failed: `The command did not end well, so this script stops here. Open the step above to see what it printed; whether \`${DEMO_FILE}\` exists is best looked up in the folder.`,
    noTools:
      'This request offers me no tools, so I can only answer in words. In an ordinary conversation I would run a command here and ask you before a risky one.',
  },
  zh: {
    begin: '我先运行一个小命令，输出会逐行显示。',
    ask: `运行成功。接下来我想写入 \`${DEMO_FILE}\`。这个命令会先删除旧文件，所以 Herma 会先征求你的同意。`,
    read: '文件已写入，我读回来看看。',
    granted: `完成。你允许了这个命令，它在工作目录写入了 \`${DEMO_FILE}\`，我也读回了内容。

| 步骤 | 工具 | 结果 |
| --- | --- | --- |
| 1 | \`terminal\` | 四行实时输出 |
| 2 | \`terminal\` | 经你同意后运行 |
| 3 | \`read_file\` | 文件内容 |

每一步在运行之前都已保存。这个文件可以删除，其他内容没有改动。我只是脚本，到此为止；真正的模型会从这里继续。`,
    unread: `你允许了命令，它也正常结束了，但这段脚本之后没有看到 \`${DEMO_FILE}\`。文件是否存在，请在目录里确认。`,
    denied: `命令没有得到允许，所以没有运行：\`${DEMO_FILE}\` **没有**写入，什么都没有改变。

被拒绝的命令不会换个说法再试。发送 **运行命令** 可以再看一次这段脚本。`,
    failed: `命令没有正常结束，这段脚本就此停下。展开上面的步骤可以看到它的输出；\`${DEMO_FILE}\` 是否存在，请在目录里确认。`,
    noTools:
      '这次请求没有提供工具，所以我只能用文字回答。在普通对话里，我会在这里运行一个命令，并在有风险时先征求你的同意。',
  },
}
