/** What a person reads about a failure: what happened at which provider, and the step to take (U-210). Pure. */
import { unreachable } from '../../shared/result.ts'
import { truncate } from '../../shared/text.ts'
import type { FailureKind } from '../kernel/ports.ts'

export interface FailureFacts {
  readonly provider: string
  readonly model: string
  readonly host: string
  readonly status: number | null
  /** The provider's own words, already without secrets; empty = none. */
  readonly said: string
  readonly retryAfterMs: number | null
  readonly isLocal: boolean
  readonly hadAnswer: boolean
}

export function failureText(kind: FailureKind, facts: FailureFacts): { message: string; next: string } {
  const { provider, model, host } = facts
  const status = facts.status === null ? '' : ` (${facts.status})`
  const quote = facts.said === '' ? '' : `: “${facts.said}”`
  const said = (sentence: string, next: string) => ({ message: `${sentence}${status}${quote}${stop(quote)}`, next })
  switch (kind) {
    case 'auth':
      return {
        message: `${provider} refused the key${status}.`,
        next: `Check the key for ${provider} in the settings, or run \`herma auth\`. Nothing was lost.`,
      }
    case 'billing':
      return {
        message: `${provider} says the account is out of credit${status}.`,
        next: `Add credit at ${provider}, or choose another provider.`,
      }
    case 'rate_limit': {
      const wait = facts.retryAfterMs === null ? '' : ` and asks to wait ${Math.ceil(facts.retryAfterMs / 1000)} s`
      return {
        message: `${provider} limits the number of requests${status}${wait}.`,
        next: 'Wait and send it again, or choose another model.',
      }
    }
    case 'upstream_rate_limit':
      return {
        message: `The service behind ${provider} that runs ${model} limits requests${status}.`,
        next: 'Send it again in a minute, or choose another model.',
      }
    case 'overloaded':
      return { message: `${provider} is overloaded${status}.`, next: 'Send it again in a few minutes.' }
    case 'server_error':
      return said(
        `${provider} failed while answering`,
        'Send it again; if it stays, look at the provider’s status page.',
      )
    case 'timeout': {
      const what = facts.hadAnswer ? 'broke off in the middle of the answer' : 'did not answer'
      return {
        message: `${provider} at ${host} ${what}${quote}${stop(quote)}`,
        next: facts.hadAnswer
          ? 'What had arrived is kept. Send “continue”, or ask again.'
          : facts.isLocal
            ? 'Check that the server is running and that the address is right.'
            : 'Check the network connection, then send it again.',
      }
    }
    case 'tls_cert':
      return {
        message: `The certificate of ${host} could not be verified${quote}${stop(quote)}`,
        next: 'Check the date of this machine and the address. Nothing was sent.',
      }
    case 'content_policy_blocked':
      return {
        message: `${provider} refused this prompt for its content rules${status}.`,
        next: 'Say it differently, or use another model.',
      }
    case 'provider_policy_blocked':
      return said(
        `${provider} offers ${model} only with other privacy settings of the account`,
        `Change the data policy of the account at ${provider}, or choose another model.`,
      )
    case 'context_overflow':
      return {
        message: `The conversation is too long for ${model} at ${provider}${status}.`,
        next: 'Compress the conversation, start a new one, or choose a model with a larger window.',
      }
    case 'payload_too_large':
      return {
        message: `The request is too large for ${provider}${status}.`,
        next: 'Compress the conversation, or start a new one.',
      }
    case 'model_not_found':
      return said(`${provider} has no model “${model}”`, 'Choose a model from the provider’s list.')
    case 'schema_grammar':
      return said(
        `${provider} could not turn a tool’s schema into a grammar`,
        'Update the local server, or choose another model.',
      )
    case 'format_error':
      return said(
        `${provider} did not accept the request`,
        'Check the base URL and the model; another provider may work with the same conversation.',
      )
    case 'unknown':
      return said(`${provider} failed in a way Herma does not know`, 'Send it again, or choose another provider.')
    default:
      return unreachable(kind)
  }
}

/** A quote that ends a sentence itself gets no second full stop. */
const stop = (quote: string): string => (/[.!?]”$/.test(quote) ? '' : '.')

/** One line of at most 200 characters, without the key that was sent and without anything that looks like one. */
export function withoutSecrets(text: string, key: string | null): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const bare = key !== null && key.length >= 4 ? line.replaceAll(key, '…') : line
  return truncate(
    bare.replace(/Bearer\s+\S+/gi, 'Bearer …').replace(/\b(?:sk|gsk|pk|key|rk|xai|hf)[-_][\w*.-]{6,}/g, '…'),
    200,
  )
}
