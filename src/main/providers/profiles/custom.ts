import { defineProvider } from '../define-provider.ts'

/** Any OpenAI-compatible server (cli 4). Away from this machine it needs a key like every other. */
export const custom = defineProvider({
  name: 'custom',
  aliases: ['openai-compatible'],
  display_name: 'Other compatible server',
  description: 'Any server that speaks OpenAI’s chat completions: give its address and a model.',
  base_url: '',
  env_vars: ['OPENAI_API_KEY'],
  needs_key: false,
})
