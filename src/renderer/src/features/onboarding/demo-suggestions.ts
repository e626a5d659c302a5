/** What the scripted provider has a story for, in the words that start it, and what is to be seen. */
export const DEMO_SUGGESTIONS = [
  { text: 'Say hello and tell me what you are.', shows: 'a plain answer' },
  { text: 'Write a file for me.', shows: 'a tool call that asks first' },
  { text: 'Write a long answer.', shows: 'streaming and Markdown' },
  { text: 'Show me an error.', shows: 'what a failure looks like' },
] as const
