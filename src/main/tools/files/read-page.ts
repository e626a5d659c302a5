import { TextDecoder } from 'node:util'
import { truncate } from '../../../shared/text.ts'
import { escapeControls } from '../result-text.ts'
import { SNIFF_BYTES, textKind } from './text-bytes.ts'

export const PAGE_LINES = 2_000
export const LINE_CHARS = 2_000
export const PAGE_CHARS = 100_000

export type Page =
  | { readonly kind: 'binary'; readonly reason: string }
  | {
      readonly kind: 'page'
      /** `<line number>|<text>`, one a line. */
      readonly text: string
      readonly lines: number
      /** Line to continue with; null at the end of the file. */
      readonly nextOffset: number | null
      /** Lines of the file, known only when its end was reached. */
      readonly totalLines: number | null
      readonly cutLines: number
      readonly crlf: boolean
    }

/**
 * One page of a text file, read as a stream: memory stays small whatever the file's size, and a line of many megabytes
 * is held only as far as it is shown. Rejects as the stream does.
 * @param offset first line, from 1
 * @param limit lines, at most PAGE_LINES
 */
export async function readPage(bytes: AsyncIterable<Uint8Array>, offset: number, limit: number): Promise<Page> {
  const page = new PageBuilder(offset, Math.min(limit, PAGE_LINES))
  let decoder: TextDecoder | null = null
  let head: Uint8Array[] = []
  let headBytes = 0
  const begin = (): TextDecoder | string => {
    const joined = Buffer.concat(head)
    const found = textKind(joined)
    head = []
    if (found.kind === 'binary') return found.reason
    const started = new TextDecoder(found.encoding)
    page.add(started.decode(joined, { stream: true }))
    return started
  }
  for await (const chunk of bytes) {
    if (decoder === null) {
      head.push(chunk)
      headBytes += chunk.length
      if (headBytes < SNIFF_BYTES) continue
      const begun = begin()
      if (typeof begun === 'string') return { kind: 'binary', reason: begun }
      decoder = begun
    } else {
      page.add(decoder.decode(chunk, { stream: true }))
    }
    if (page.full) return page.build(false)
  }
  if (decoder === null) {
    const begun = begin()
    if (typeof begun === 'string') return { kind: 'binary', reason: begun }
    decoder = begun
  }
  page.add(decoder.decode())
  return page.build(true)
}

class PageBuilder {
  readonly #offset: number
  readonly #limit: number
  readonly #out: string[] = []
  #chars = 0
  /** The unfinished line, no longer than it can be shown. */
  #line = ''
  #lineLength = 0
  /** Number of the line being read. */
  #number = 1
  #cut = 0
  #crlf = false
  full = false

  constructor(offset: number, limit: number) {
    this.#offset = offset
    this.#limit = limit
  }

  add(text: string): void {
    let from = 0
    while (!this.full) {
      const end = text.indexOf('\n', from)
      this.#extend(text, from, end < 0 ? text.length : end)
      if (end < 0) return
      this.#finishLine()
      from = end + 1
    }
  }

  build(atEnd: boolean): Page {
    if (atEnd && !this.full && this.#lineLength > 0) this.#finishLine()
    return {
      kind: 'page',
      text: this.#out.join('\n'),
      lines: this.#out.length,
      nextOffset: this.full ? this.#offset + this.#out.length : null,
      totalLines: this.full ? null : this.#number - 1,
      cutLines: this.#cut,
      crlf: this.#crlf,
    }
  }

  #extend(text: string, from: number, to: number): void {
    this.#lineLength += to - from
    const room = LINE_CHARS + 1 - this.#line.length
    if (this.#number >= this.#offset && room > 0) this.#line += text.slice(from, Math.min(to, from + room))
  }

  #finishLine(): void {
    if (this.#number >= this.#offset) {
      // Full only when there is one more line: a page that ends with the file has no next offset.
      const shown = this.#shown()
      if (this.#out.length >= this.#limit || this.#chars + shown.length + 1 > PAGE_CHARS) {
        this.full = true
        return
      }
      this.#out.push(shown)
      this.#chars += shown.length + 1
    }
    this.#number++
    this.#line = ''
    this.#lineLength = 0
  }

  #shown(): string {
    let line = this.#line
    let length = this.#lineLength
    if (line.endsWith('\r') && length === line.length) {
      line = line.slice(0, -1)
      length--
      this.#crlf = true
    }
    if (length > LINE_CHARS) {
      this.#cut++
      line = `${truncate(line, LINE_CHARS)} [line cut, ${length} characters]`
    }
    return `${this.#number}|${escapeControls(line)}`
  }
}
