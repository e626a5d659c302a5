/** Requests, ports and answers in the words of the provider layer's tests. */

import type {
  ModelEvent,
  ModelPort,
  ModelRequest,
  ModelResponse,
  ProviderFailure,
} from '../../src/main/kernel/ports.ts'
import { type ChatCompletionsOptions, chatCompletions } from '../../src/main/providers/adapters/chat-completions.ts'

export const asking = (content = 'hi', more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
  tools: [],
  ...more,
})

export const portTo = (baseUrl: string, more: Partial<ChatCompletionsOptions> = {}): ModelPort =>
  chatCompletions({
    binding: { provider: 'scripted', model: 'script-1', baseUrl },
    displayName: 'Scripted',
    apiKey: 'sk-test-0123456789abcdef',
    ...more,
  })

/** Reads a stream to its end. */
export async function listen(
  port: ModelPort,
  request: ModelRequest = asking(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of port.stream(request, signal)) events.push(event)
  return events
}

export const lastOf = (events: readonly ModelEvent[]): ModelEvent => {
  const last = events.at(-1)
  if (last === undefined) throw new Error('the stream had no event')
  return last
}

export async function answerOf(port: ModelPort, request?: ModelRequest): Promise<ModelResponse> {
  const last = lastOf(await listen(port, request))
  if (last.type !== 'done') throw new Error(`expected an answer, got ${JSON.stringify(last)}`)
  return last.response
}

export async function failureOf(
  port: ModelPort,
  request?: ModelRequest,
): Promise<{ failure: ProviderFailure; partial: ModelResponse }> {
  const last = lastOf(await listen(port, request))
  if (last.type !== 'failed') throw new Error(`expected a failure, got ${JSON.stringify(last)}`)
  return last
}
