/** The same stage without any framework: strings into elements, thirty live rows, only the open block drawn again. */
import { blockHtml, endOfBlock, textHtml } from './floor-text.ts'
import { type Chat, nextFrame, type Stage } from './stage.ts'
import { type Message, messagesOf } from './stories.ts'

const chats: Readonly<Record<Chat, readonly Message[]>> = {
  empty: [],
  hundred: messagesOf(100),
  'ten-thousand': messagesOf(10_000),
}
const LIVE_ROWS = 30
const TURN = 'ten-thousand'

const list = document.getElementById('list') as HTMLElement
const above = document.createElement('div')
const rows = document.createElement('div')
const below = document.createElement('div')
list.append(above, rows, below)

let messages: readonly Message[] = []
let heights = new Float64Array()
let start = 0
let live: { root: HTMLElement; open: HTMLElement; text: string; drawing: boolean } | null = null

const rowOf = ({ role, text }: Message): HTMLElement => {
  const row = document.createElement('article')
  row.className = `turn ${role}`
  row.innerHTML = `<div class="who"><b>${role}</b></div>${role === 'user' ? `<div class="bubble">${text}</div>` : textHtml(text)}`
  return row
}

/** Draws thirty rows from `first`; those that were there stay. */
function draw(first: number): void {
  const end = Math.min(messages.length, first + LIVE_ROWS)
  while (start < first && rows.firstChild !== null) {
    rows.firstChild.remove()
    start++
  }
  while (rows.childElementCount > 0 && start + rows.childElementCount > end) rows.lastChild?.remove()
  if (rows.childElementCount === 0) start = end
  while (start > first) rows.prepend(rowOf(messages[--start] as Message))
  for (let at = start + rows.childElementCount; at < end; at++) rows.append(rowOf(messages[at] as Message))
  for (let at = 0; at < rows.childElementCount; at++)
    heights[start + at] = (rows.children[at] as HTMLElement).offsetHeight
  let top = 0
  for (let at = 0; at < start; at++) top += heights[at] ?? 0
  let bottom = 0
  for (let at = start + rows.childElementCount; at < heights.length; at++) bottom += heights[at] ?? 0
  above.style.height = `${top}px`
  below.style.height = `${bottom}px`
}

list.addEventListener('scroll', () => {
  if (live !== null || messages.length <= LIVE_ROWS) return
  let first = 0
  for (let top = 0; first < messages.length && top < list.scrollTop - 600; first++) top += heights[first] ?? 0
  const wanted = Math.min(first, messages.length - LIVE_ROWS)
  if (wanted !== start) draw(wanted)
})

/** Draws what has come since the last frame: closed blocks once, the open one again. */
function drawAnswer(): void {
  if (live === null) return
  live.drawing = false
  for (let end = endOfBlock(live.text); end !== -1; end = endOfBlock(live.text)) {
    live.open.innerHTML = blockHtml(live.text.slice(0, end).trim())
    live.text = live.text.slice(end)
    live.open = document.createElement('div')
    live.root.append(live.open)
  }
  live.open.innerHTML = live.text === '' ? '' : blockHtml(live.text)
  list.scrollTop = list.scrollHeight
}

const stage: Stage = {
  async open(chat) {
    messages = chats[chat]
    heights = new Float64Array(messages.length).fill(160)
    rows.replaceChildren()
    start = 0
    draw(Math.max(0, messages.length - LIVE_ROWS))
    list.scrollTop = list.scrollHeight
    await nextFrame()
  },
  readAll: () => Promise.resolve(),
  startAnswer() {
    const root = document.createElement('article')
    root.className = 'turn'
    const open = document.createElement('div')
    root.append(open)
    rows.append(root)
    live = { root, open, text: '', drawing: false }
    return Promise.resolve()
  },
  frame: (text) =>
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'event',
      params: { type: 'message.delta', turn: TURN, payload: { text } },
    }),
  receive(frame) {
    const { params } = JSON.parse(frame) as { params: { payload: { text: string } } }
    if (live === null) return
    live.text += params.payload.text
    if (live.drawing) return
    live.drawing = true
    requestAnimationFrame(drawAnswer)
  },
  endAnswer() {
    live?.root.remove()
    live = null
    return Promise.resolve()
  },
  answer: () => live?.root ?? null,
  scroller: () => list,
  isCovered(y) {
    const box = list.getBoundingClientRect()
    return document.elementFromPoint(box.left + box.width / 2, box.top + y)?.closest('.turn') != null
  },
  async page(answer, times) {
    const other = (_request: string): Promise<string> => Promise.resolve(answer)
    const began = performance.now()
    for (let time = 0; time < times; time++) {
      const request = { jsonrpc: '2.0', id: time, method: 'session.history', params: { limit: 100 } }
      const read = JSON.parse(await other(JSON.stringify(request))) as { result: { rows: unknown[] } }
      if (read.result.rows.length !== 100) throw new Error('the page did not come whole')
    }
    return performance.now() - began
  },
}
window.stage = stage
