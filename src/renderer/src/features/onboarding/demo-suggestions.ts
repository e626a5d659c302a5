/** What the scripted provider has a story for, in words that start it, and what is to be seen. */
export const DEMO_SUGGESTIONS = [
  { text: 'Run a command', shows: 'tools, live output, a question before the risky one' },
  { text: 'Hello, what can you show me?', shows: 'a plain answer' },
  { text: 'Give me a long answer', shows: 'streaming, code in many languages' },
  { text: 'Show an error', shows: 'what a failure looks like, and what to do' },
] as const
