/** What is known about a model service, as data (kernel 7.1). A profile owns no client, no key and no decision. */

export interface ProviderProfile {
  /** The name in configuration; lower case, stable for ever. */
  readonly name: string
  readonly aliases: readonly string[]
  readonly display_name: string
  readonly description: string
  /** Where a person gets a key; null where none is needed. */
  readonly signup_url: string | null
  readonly api_mode: 'chat_completions'
  /** Empty: a person has to give it. */
  readonly base_url: string
  /** Null: `<base_url>/models`. */
  readonly models_url: string | null
  readonly default_headers: Readonly<Record<string, string>>
  /** Environment variables that may hold its key, the first one wins. */
  readonly env_vars: readonly string[]
  /** Whether it works at all without a key. An address on this machine never needs one. */
  readonly needs_key: boolean
  /** Offered before the service was asked; the first is the default. Empty: ask the service. */
  readonly models: readonly string[]
  /** What it calls the limit of an answer. */
  readonly output_cap_field: 'max_tokens' | 'max_completion_tokens'
  /** False: it reports usage unasked and refuses to be asked. */
  readonly asks_for_usage: boolean
}

type Given = Pick<ProviderProfile, 'name' | 'display_name' | 'description' | 'base_url'> & Partial<ProviderProfile>

/** Fills in what most services have in common. */
export const defineProvider = (given: Given): ProviderProfile => ({
  aliases: [],
  signup_url: null,
  api_mode: 'chat_completions',
  models_url: null,
  default_headers: {},
  env_vars: [],
  needs_key: true,
  models: [],
  output_cap_field: 'max_tokens',
  asks_for_usage: true,
  ...given,
})
