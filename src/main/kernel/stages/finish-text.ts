import { answered, end, type Stage } from '../state.ts'

/** Stage 9b: the answer becomes a durable row, and the turn ends by what the provider said about it. */
export const finishText: Stage = async (turn, state) => {
  const response = answered(state)
  const answer = await turn.ledger.recordAnswer(turn.lease, {
    text: response.text,
    reasoning: response.reasoning,
    calls: [],
    finishReason: response.finishReason ?? 'stream_lost',
    usage: response.usage,
    binding: turn.model.binding,
  })
  const done = { ...state, answer, rows: [...state.rows, answer] }
  if (response.finishReason === 'length')
    return end(done, {
      reason: 'output_truncated',
      detail: 'length',
      failure: { message: 'The model reached its output limit.', next: 'Ask it to continue.' },
    })
  // No reason at all: the connection ended before the provider had finished (toolchain notes, openai 7).
  if (response.finishReason === null)
    return end(done, {
      reason: 'partial_stream_recovery',
      detail: 'the stream ended without a finish reason',
      failure: {
        message: `${turn.model.binding.provider} closed the stream before it had finished.`,
        next: 'Ask it to continue; the text so far is kept.',
      },
    })
  return end(done, { reason: 'text_response', detail: null })
}
