/**
 * The tool story: a harmless command with live output, a command that a person has to allow, then a look at what it
 * did. Where it stands is read from the messages alone, so a denied or failed step is told as what it was.
 */
import { answer, calling, type DemoReply, type DemoRequest, type Story } from '../story.ts'

export const DEMO_FILE = 'herma-demo.txt'
const WATCHED = 'for n in 1 2 3 4; do echo "step $n of 4"; sleep 0.5; done'
/** Deleting is what asks; the file is the demo's own. */
const WRITING = `rm -f ${DEMO_FILE} && printf 'Written by Herma\\n' > ${DEMO_FILE}`

export const tools: Story = {
  name: 'tools',
  matches: ({ prompt, rounds }) =>
    rounds > 0 ||
    (/\b(?:run|commands?|files?|terminal|shell|tools?|approvals?)\b/i.test(prompt) && prompt.length < 2_000) ||
    /运行|执行|命令|文件|终端|工具|审批/.test(prompt),
  reply(request) {
    const say = SENTENCES[request.language]
    if (!request.tools.includes('terminal')) return answer(say.noTools)
    if (request.rounds === 0) return calling(say.begin, 'terminal', { command: WATCHED })
    if (request.rounds === 1) return calling(say.ask, 'terminal', { command: WRITING })
    return afterWriting(request, say)
  },
}

function afterWriting(request: DemoRequest, say: Sentences): DemoReply {
  const written = outcomeOf(request.results[1] ?? '')
  if (written === 'denied') return answer(say.denied)
  if (written === 'failed') return answer(say.failed)
  if (request.rounds === 2 && request.tools.includes('read_file'))
    return calling(say.read, 'read_file', { path: DEMO_FILE })
  return answer(say.granted)
}

/** Reads a terminal result: JSON with an exit code when the command ran, a sentence when it was not allowed to. */
export function outcomeOf(result: string): 'done' | 'denied' | 'failed' {
  const exit = /"?exit_code"?\s*[:=]\s*(-?\d+|null)/.exec(result)?.[1]
  if (exit === '0') return 'done'
  if (
    /\b(?:den(?:y|ied)|declined|refused|not (?:allowed|approved|permitted)|no (?:one|person|approval))\b/i.test(result)
  )
    return 'denied'
  return exit === undefined && !/error|unknown|timed? ?out|interrupt|stopped/i.test(result) ? 'done' : 'failed'
}

interface Sentences {
  readonly begin: string
  readonly ask: string
  readonly read: string
  readonly granted: string
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

Each step was stored before it ran. You may delete the file; nothing else was changed.`,
    denied: `You did not allow the command, so it never ran: \`${DEMO_FILE}\` was **not** written and nothing was changed.

A denied command is not tried again in other words. Send **run a command** to see it once more.`,
    failed: `The command did not end well, so I stop here. Open the step above to see what it printed; whether \`${DEMO_FILE}\` exists is best looked up in the folder.`,
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

每一步在运行之前都已保存。这个文件可以删除，其他内容没有改动。`,
    denied: `你没有允许这个命令，所以它没有运行：\`${DEMO_FILE}\` **没有**写入，什么都没有改变。

被拒绝的命令不会换个说法再试。发送 **运行命令** 可以再看一次。`,
    failed: `命令没有正常结束，我就此停下。展开上面的步骤可以看到它的输出；\`${DEMO_FILE}\` 是否存在，请在目录里确认。`,
    noTools:
      '这次请求没有提供工具，所以我只能用文字回答。在普通对话里，我会在这里运行一个命令，并在有风险时先征求你的同意。',
  },
}
