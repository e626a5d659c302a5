/** Asks a service for its models: the check of a key (U-38), and the search for local servers (U-42). */
import { APIError } from 'openai'
import { boundedFetch } from './adapters/bounded-fetch.ts'
import { classifyError } from './classify-error.ts'
import { withoutSecrets } from './failure-text.ts'

export interface ModelList {
  readonly outcome: 'ok' | 'refused' | 'unreachable' | 'rate_limited'
  /** One sentence for a person. */
  readonly detail: string
  readonly models: string[]
}

/** A service that takes longer is told as unreachable (kernel 7.1). */
const LIMIT_MS = 8_000
/** Common ports of Ollama, LM Studio, llama.cpp, vLLM and Jan. */
const LOCAL_PORTS = [11434, 1234, 8080, 8000, 1337]
/** Something that listens on this machine answers at once, or is no model server. */
const LOCAL_LIMIT_MS = 1_500

/** Never rejects: every ending is an outcome. */
export async function listModels(from: {
  url: string
  provider: string
  apiKey: string | null
  headers?: Readonly<Record<string, string>>
  limitMs?: number
}): Promise<ModelList> {
  const limitMs = from.limitMs ?? LIMIT_MS
  const signal = AbortSignal.timeout(limitMs)
  try {
    const headers = { ...from.headers, ...(from.apiKey === null ? {} : { authorization: `Bearer ${from.apiKey}` }) }
    const response = await boundedFetch(from.url, { headers, signal })
    const body = await response.text()
    if (!response.ok) throw APIError.generate(response.status, json(body), body, response.headers)
    const models = idsIn(json(body))
    if (models === null)
      return no('unreachable', `${from.provider} answered, but not with a list of models. Check the base URL.`)
    const count = models.length === 1 ? '1 model' : `${models.length} models`
    return { outcome: 'ok', detail: `${from.provider} answered with ${count}.`, models }
  } catch (error) {
    if (signal.aborted) return no('unreachable', `${from.provider} did not answer within ${limitMs / 1000} s.`)
    return explain(error, from)
  }
}

/** Servers on this machine that list models in OpenAI's form. Only when a person asks (U-42). */
export async function detectLocal(
  ports: readonly number[] = LOCAL_PORTS,
): Promise<{ base_url: string; models: string[] }[]> {
  const found = await Promise.all(
    ports.map(async (port) => {
      const base_url = `http://127.0.0.1:${port}/v1`
      const list = await listModels({
        url: `${base_url}/models`,
        provider: 'local',
        apiKey: null,
        limitMs: LOCAL_LIMIT_MS,
      })
      return list.outcome === 'ok' ? [{ base_url, models: list.models }] : []
    }),
  )
  return found.flat()
}

function explain(error: unknown, from: { url: string; provider: string; apiKey: string | null }): ModelList {
  const failure = classifyError(error, {
    provider: from.provider,
    model: '',
    baseUrl: from.url,
    isLocal: false,
    apiKey: from.apiKey,
    windowShare: null,
    hadAnswer: false,
    nowMs: Date.now(),
  })
  switch (failure.kind) {
    case 'auth':
    case 'billing':
      return no('refused', failure.message)
    case 'rate_limit':
    case 'upstream_rate_limit':
      return no('rate_limited', failure.message)
    case 'timeout':
    case 'tls_cert':
      return no('unreachable', failure.message)
    default: {
      const status = failure.status === null ? '' : ` (${failure.status})`
      return no(
        'unreachable',
        withoutSecrets(`${from.provider} did not list its models${status}. Check the base URL.`, from.apiKey),
      )
    }
  }
}

const no = (outcome: Exclude<ModelList['outcome'], 'ok'>, detail: string): ModelList => ({
  outcome,
  detail,
  models: [],
})

function json(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    // Together answers with the bare list.
    if (Array.isArray(value)) return { data: value }
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function idsIn(body: Record<string, unknown>): string[] | null {
  const data = body['data']
  if (!Array.isArray(data)) return null
  return data.flatMap((item: unknown) =>
    typeof item === 'object' && item !== null && typeof (item as { id?: unknown }).id === 'string'
      ? [(item as { id: string }).id]
      : [],
  )
}
