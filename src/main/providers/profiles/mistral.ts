import { defineProvider } from '../define-provider.ts'

export const mistral = defineProvider({
  name: 'mistral',
  display_name: 'Mistral',
  description: 'Mistral and Codestral models.',
  signup_url: 'https://console.mistral.ai/api-keys',
  base_url: 'https://api.mistral.ai/v1',
  env_vars: ['MISTRAL_API_KEY'],
  models: ['mistral-medium-latest', 'mistral-large-latest', 'mistral-small-latest', 'codestral-latest'],
  // Usage comes with the last chunk; its schema has refused fields it does not know.
  asks_for_usage: false,
})
