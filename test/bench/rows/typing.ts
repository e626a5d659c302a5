/** From a key to the paint that shows it, while an answer of 100 tokens a second streams in that chat. */
import { type Measured, type Meter, quantile } from '../measure.ts'
import type { Chat } from '../stage.ts'
import { answerText, piecesOf } from '../stories.ts'

const KEYS = 60
const GOAL_MS = 50
const pieces = piecesOf(answerText(40_000), 4)

export async function typing(ours: Meter, floor: Meter): Promise<Measured[]> {
  const raw = await typed(floor, 'ten-thousand')
  const short = await typed(ours, 'empty')
  const long = await typed(ours, 'ten-thousand')
  return [
    { id: 'type.key_p95_while_streaming', ours: long.p95, floor: null, unit: 'ms', goal: GOAL_MS },
    { id: 'type.key_to_empty_chat', ours: long.p50, floor: short.p50, unit: 'ms', goal: 1.5 },
    { id: 'type.key_to_raw_page', ours: long.p50, floor: raw.p50, unit: 'ms', goal: 1.5 },
  ]
}

async function typed({ page }: Meter, chat: Chat): Promise<{ p50: number; p95: number }> {
  await page.evaluate(
    async ([name, texts]) => {
      await window.stage.open(name)
      await window.stage.startAnswer()
      let at = 0
      window.streaming = window.setInterval(
        () => window.stage.receive(window.stage.frame(texts[at++ % texts.length] ?? '')),
        10,
      )
      window.keyTimes = []
      let pressed = 0
      const field = document.querySelector('textarea')
      field?.focus()
      if (field?.dataset['timed'] === 'yes') return
      if (field !== null) field.dataset['timed'] = 'yes'
      field?.addEventListener('keydown', ({ timeStamp }) => {
        pressed = timeStamp
      })
      field?.addEventListener('input', () => {
        requestAnimationFrame(() => {
          const painted = new MessageChannel()
          painted.port1.onmessage = () => window.keyTimes.push(performance.now() - pressed)
          painted.port2.postMessage(null)
        })
      })
    },
    [chat, pieces] as const,
  )
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'KeyE')
    await page.waitForTimeout(50)
  }
  const times = await page.evaluate(async () => {
    clearInterval(window.streaming)
    await window.stage.endAnswer()
    return window.keyTimes
  })
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

declare global {
  interface Window {
    streaming: number
    keyTimes: number[]
  }
}
