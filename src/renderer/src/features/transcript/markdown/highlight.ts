/** The page's side of the highlighter: one worker for the window, answers kept for blocks that scroll out and back. */
export interface ColouredToken {
  readonly text: string
  /** A CSS colour (a variable of the theme); null = plain. */
  readonly colour: string | null
}
export type ColouredLine = readonly ColouredToken[]

const KEPT = 200
/** Longer sources stay plain: colours are not worth the wait. */
const LIMIT_CHARS = 200_000
const kept = new Map<string, Promise<readonly ColouredLine[] | null>>()
const known = new Map<string, readonly ColouredLine[]>()
const waiting = new Map<number, (lines: readonly ColouredLine[] | null) => void>()
let worker: Worker | null = null
let next = 0

/** Colours of a source; null when the language is unknown or the text too long. Never rejects. */
export function highlight(language: string, text: string): Promise<readonly ColouredLine[] | null> {
  if (text.length > LIMIT_CHARS) return Promise.resolve(null)
  const key = `${language}\n${text}`
  const found = kept.get(key)
  if (found !== undefined) return found
  const answer = ask(language, text).then((lines) => {
    if (lines !== null && kept.has(key)) known.set(key, lines)
    return lines
  })
  kept.set(key, answer)
  const oldest = kept.size > KEPT ? kept.keys().next().value : undefined
  if (oldest !== undefined) {
    kept.delete(oldest)
    known.delete(oldest)
  }
  return answer
}

/** Colours that are already here, so that a block that comes back is not plain for a moment. */
export const coloursNow = (language: string, text: string): readonly ColouredLine[] | null =>
  known.get(`${language}\n${text}`) ?? null

function ask(language: string, text: string): Promise<readonly ColouredLine[] | null> {
  worker ??= start()
  const id = ++next
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    worker?.postMessage({ id, language, text })
  })
}

function start(): Worker {
  const made = new Worker(new URL('../../../workers/highlight.worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<{ id: number; lines: readonly ColouredLine[] | null }>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  })
  made.addEventListener('error', () => {
    // Without the worker everything stays plain and readable.
    for (const resolve of waiting.values()) resolve(null)
    waiting.clear()
    worker = null
  })
  return made
}
