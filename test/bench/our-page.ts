/** Our app as a stage: the built screens over a core inside the page, told what to do by clicks and by wire frames. */
import '../renderer/no-text-as-code.ts'
import { createClient } from '../../src/shared/client.ts'
import type { DisplayRow } from '../../src/shared/contract/index.ts'
import { type ConversationId, DEFAULT_PROFILE } from '../../src/shared/ids.ts'
import { installFakeBridge } from '../renderer/fake-bridge.ts'
import { aMessage, aRow, conversation } from '../renderer/frame/builders.ts'
import { anAnswer, anEnd, aStart } from '../renderer/transcript/builders.ts'
import { type Chat, nextFrame, type Stage } from './stage.ts'
import { lastWords, messagesOf } from './stories.ts'

const SIZES: Readonly<Record<Chat, number>> = { empty: 0, hundred: 100, 'ten-thousand': 10_000 }
const bridge = installFakeBridge()
let at: Chat = 'empty'
let turns = 0

for (const [name, size] of Object.entries(SIZES)) {
  const id = conversation(name)
  bridge.core.rows.push(aRow({ conversation_id: id, session_id: name as never, title: name, messages: size }))
  bridge.hold(id, rowsOf(size))
}
bridge.core.uiState.set('screen.view', { kind: 'chat', conversation: 'empty' })

function rowsOf(size: number): DisplayRow[] {
  return messagesOf(size).map(({ role, text }, index) =>
    aMessage({ uid: `m${index + 1}` as never, pos: index + 1, role, text, text_size: text.length }),
  )
}

const find = <E extends HTMLElement>(selector: string): E | null => document.querySelector<E>(selector)

async function until<T>(look: () => T | null | false): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== null && found !== false) return found
    await nextFrame()
  }
}

const id = (): ConversationId => conversation(at)
const turn = (): string => `t${turns}`
const scroller = (): HTMLElement => find('.transcript-list') as HTMLElement
const isOpen = (chat: Chat): boolean =>
  find('h1')?.textContent === chat &&
  (chat === 'empty' ||
    (find('.transcript')?.dataset['settled'] === 'true' &&
      (scroller().textContent?.includes(lastWords(SIZES[chat])) ?? false)))

const stage: Stage = {
  async open(chat) {
    const row = await until(() => find(`[data-testid="chat-row-${chat}"]`))
    at = chat
    row.click()
    await until(() => isOpen(chat))
  },
  async readAll() {
    const first = 'Question 1:'
    while (!scroller().textContent?.includes(first)) {
      scroller().dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true }))
      scroller().scrollTop = 0
      await nextFrame()
    }
    find('[role="log"]')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
    await until(() => isOpen(at))
  },
  async startAnswer() {
    turns++
    const pos = 1_000_000 + turns * 2
    const question = aMessage({ uid: `q${turns}` as never, pos, text: 'Go on.', text_size: 6 })
    bridge.append(id(), question)
    bridge.receive(bridge.event('message.start', aStart([question], turn()), id(), turn()))
    await until(() => find('article[data-live="true"]'))
  },
  frame: (text) => bridge.unchecked('message.delta', { text }, id(), turn()),
  receive: (frame) => bridge.receive(frame),
  async endAnswer() {
    const row = anAnswer(1_000_001 + turns * 2, 'Done.', { uid: `a${turns}` as never })
    bridge.append(id(), row)
    bridge.receive(bridge.event('message.complete', anEnd(row), id(), turn()))
    await until(() => find('article[data-live="true"]') === null)
  },
  answer: () => find('article[data-live="true"] .md'),
  scroller,
  isCovered(y) {
    const box = scroller().getBoundingClientRect()
    return document.elementFromPoint(box.left + box.width / 2, box.top + y)?.closest('.turn') != null
  },
  async page(answer, times) {
    const client = createClient(
      { kind: 'ipc', call: () => Promise.resolve(answer), subscribe: bridge.subscribe },
      DEFAULT_PROFILE,
    )
    const began = performance.now()
    for (let time = 0; time < times; time++) {
      const read = await client.call('session.history', { conversation_id: conversation('hundred'), limit: 100 })
      if (!read.ok || read.value.rows.length !== 100) throw new Error('the page did not come whole')
    }
    return performance.now() - began
  },
}
window.stage = stage
window.samplePage = () =>
  bridge.call(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'session.history',
      params: { profile: DEFAULT_PROFILE, conversation_id: 'hundred', limit: 100 },
    }),
  )
