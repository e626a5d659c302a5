import { answer, type Story } from '../story.ts'

/** The plain answer: says that it is a script, what it can show, and how Markdown looks on the way. */
export const greeting: Story = {
  name: 'greeting',
  matches: () => true,
  reply: ({ language }) => answer(language === 'zh' ? CHINESE : ENGLISH),
}

const SAMPLE = `\`\`\`ts
interface Turn {
  readonly id: string
  readonly calls: readonly string[]
}

/** A call is stored before it runs, so nothing runs twice. */
export const isSafeToRun = (turn: Turn, call: string): boolean => turn.calls.includes(call)
\`\`\``

const ENGLISH = `## Hello, this is Herma’s demo

I am a **script inside this app**, not a language model. My answers are prepared, and nothing you write leaves this machine. Everything around me is real: the streaming, the tools, the questions before a risky command, and the transcript that is kept.

### What I can show

- **run a command**: live output, then a command that asks you first
- **long answer**: several pages with code in many languages
- **show an error**: how a failing provider looks
- **drop the connection**: an answer that breaks off half-way

Answers are Markdown, so code and tables look like this:

${SAMPLE}

| You send | You see |
| --- | --- |
| \`run a command\` | tools, live output, a question |
| \`long answer\` | a long stream |
| \`show an error\` | an error with its next step |

To talk with a real model, choose a provider in the settings. This conversation stays where it is.
`

const CHINESE = `## 你好，这里是 Herma 的演示

我是**这个应用里的一段脚本**，不是语言模型。我的回答是预先写好的，你输入的内容不会离开这台机器。除我以外的一切都是真的：流式输出、工具、危险命令之前的询问，以及保存下来的记录。

### 我可以演示

- **运行命令**：实时输出，然后是一个需要你同意的命令
- **长回答**：几页内容，包含多种语言的代码
- **演示错误**：服务出错时的样子
- **断开连接**：中途断开的回答

回答使用 Markdown，代码和表格如下：

${SAMPLE}

| 你发送 | 你看到 |
| --- | --- |
| \`运行命令\` | 工具、实时输出、询问 |
| \`长回答\` | 一段很长的流式输出 |
| \`演示错误\` | 错误以及下一步 |

想和真正的模型对话，请在设置里选择一个服务。这段对话会保留在原处。
`
