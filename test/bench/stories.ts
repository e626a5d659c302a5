/** What both pages show: the same texts and messages, made by rule and not by chance. */
export interface Message {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

const PARTS = [
  'The rounding happens **twice**: once in `price.ts` and again when the line is printed. It should happen once, at the end, so that sums and lines agree to the cent.\n\n',
  '## What to change\n\n- keep the full number while adding\n- round when a line is *shown*\n- say so in [the notes](https://example.org/notes)\n\n',
  '```ts\nexport function shown(net: number, rate: number): string {\n  const gross = net * (1 + rate)\n  return gross.toFixed(2)\n}\n```\n\n',
  'Three cases were off by one cent before, none is now. The tests below hold them; each names the receipt it came from.\n\n',
  '| case | before | after |\n|---|---|---|\n| half up | 1.02 | 1.01 |\n| many lines | 99.99 | 100.00 |\n| refund | -0.01 | 0.00 |\n\n',
  '> A sum is only as good as its lines.\n\nNothing else calls the old function, so it can go with the next release.\n\n',
] as const

/** `chars` characters of mixed Markdown. */
export function answerText(chars: number): string {
  let text = ''
  for (let part = 0; text.length < chars; part++) text += PARTS[part % PARTS.length]
  return text.slice(0, chars)
}

/** A text in pieces of equal length. */
export const piecesOf = (text: string, chars: number): string[] =>
  Array.from({ length: Math.ceil(text.length / chars) }, (_, index) => text.slice(index * chars, (index + 1) * chars))

/** Questions and answers in turn, the last one numbered `count`. */
export const messagesOf = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    text:
      index % 2 === 0
        ? `Question ${index + 1}: what about case ${index % 97}?`
        : `Answer ${index + 1}.\n\n${PARTS[index % PARTS.length]}${PARTS[(index * 7 + 3) % PARTS.length]}`,
  }))

/** Names the newest message of a chat of `count` in both pages. */
export const lastWords = (count: number): string => `Answer ${count}.`
