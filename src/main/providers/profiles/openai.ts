import { defineProvider } from '../define-provider.ts'

export const openai = defineProvider({
  name: 'openai',
  display_name: 'OpenAI',
  description: 'GPT models from OpenAI.',
  signup_url: 'https://platform.openai.com/api-keys',
  base_url: 'https://api.openai.com/v1',
  env_vars: ['OPENAI_API_KEY'],
  models: ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-4o', 'gpt-4o-mini', 'o3', 'o4-mini'],
  // Its reasoning models refuse the older name.
  output_cap_field: 'max_completion_tokens',
})
