/** What the demo knows of a request and what it may answer: data only, so that stories are pure functions. */

export interface DemoMessage {
  readonly role: string
  readonly content: string
  /** Calls of an assistant message. */
  readonly calls: readonly { readonly name: string; readonly args: string }[]
}

export interface DemoRequest {
  readonly model: string
  readonly messages: readonly DemoMessage[]
  /** Names of the tools that were offered. */
  readonly tools: readonly string[]
  /**
   * What the person said last: the last paragraph of the latest user message. A turn that failed left its prompt without
   * an answer, and the next request carries it joined with the new one; the old one must not be answered again.
   */
  readonly prompt: string
  /** The whole latest user message. */
  readonly message: string
  /** Results that came since that message, in order. */
  readonly results: readonly string[]
  /** Messages that asked for tools since then. */
  readonly rounds: number
  readonly language: Language
}

export type Language = 'en' | 'zh'

export interface DemoReply {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[]
  /** `stop`: a whole answer. `cut`: the connection breaks behind the text. A number: an HTTP error instead of it. */
  readonly ending: 'stop' | 'cut' | number
}

export interface Story {
  readonly name: string
  /** Whether it is this story's turn; the first that says yes answers. */
  matches(request: DemoRequest): boolean
  reply(request: DemoRequest): DemoReply
}

export const answer = (text: string): DemoReply => ({ text, calls: [], ending: 'stop' })
export const calling = (text: string, name: string, args: Readonly<Record<string, unknown>>): DemoReply => ({
  text,
  calls: [{ name, args }],
  ending: 'stop',
})

/** Reads a chat-completions body. What has another shape counts as empty: the demo answers everything. */
export function readDemoRequest(body: unknown): DemoRequest {
  const { messages, tools, model } = fields(body)
  const read = list(messages).map((item): DemoMessage => {
    const message = fields(item)
    return {
      role: string(message['role']),
      content: string(message['content']),
      calls: list(message['tool_calls']).map((call) => {
        const fn = fields(fields(call)['function'])
        return { name: string(fn['name']), args: string(fn['arguments']) }
      }),
    }
  })
  const asked = read.findLastIndex((message) => message.role === 'user')
  const since = read.slice(asked + 1)
  const message = read[asked]?.content ?? ''
  const prompt = message.split(/\n\s*\n/).findLast((part) => part.trim() !== '') ?? ''
  return {
    model: string(model) || 'scripted',
    messages: read,
    tools: list(tools).map((tool) => string(fields(fields(tool)['function'])['name'])),
    prompt,
    message,
    results: since.filter((message) => message.role === 'tool').map((message) => message.content),
    rounds: since.filter((message) => message.calls.length > 0).length,
    language: languageOf(prompt),
  }
}

/** Han characters mean Chinese, unless kana or Hangul stand among them. */
const languageOf = (text: string): Language =>
  /\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text) ? 'zh' : 'en'

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const string = (value: unknown): string => (typeof value === 'string' ? value : '')
