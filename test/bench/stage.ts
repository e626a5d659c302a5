/** What a measured page can be told to do. Ours and the raw one offer the same, so that each row is one script run twice. */
export type Chat = 'empty' | 'hundred' | 'ten-thousand'

export interface Stage {
  /** Resolves in the frame in which the newest message of that chat stands on screen. */
  open(chat: Chat): Promise<void>
  /** Reads every page above, so that the whole chat is in memory; ends at the newest message. */
  readAll(): Promise<void>
  /** Begins an answer below the newest message. */
  startAnswer(): Promise<void>
  /** The wire frame of one piece of that answer. */
  frame(text: string): string
  /** One frame arrives. */
  receive(frame: string): void
  endAnswer(): Promise<void>
  /** What holds the streaming text; null before there is any. */
  answer(): Element | null
  /** What scrolls. */
  scroller(): HTMLElement
  /** True when a message stands at this height of the scroller. */
  isCovered(y: number): boolean
  /** Asks `times` times for a page that the other side answers with `answer`; milliseconds for all of them. */
  page(answer: string, times: number): Promise<number>
}

declare global {
  interface Window {
    stage: Stage
    /** One answer of a real read of 100 messages, for both pages to receive. */
    samplePage?: () => Promise<string>
  }
}

export const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
