import { defineProvider } from '../define-provider.ts'

export const openrouter = defineProvider({
  name: 'openrouter',
  display_name: 'OpenRouter',
  description: 'Models of many makers behind one key.',
  signup_url: 'https://openrouter.ai/keys',
  base_url: 'https://openrouter.ai/api/v1',
  env_vars: ['OPENROUTER_API_KEY'],
  default_headers: { 'X-Title': 'Herma' },
  models: [
    'anthropic/claude-sonnet-4.5',
    'openai/gpt-5',
    'openai/gpt-5-mini',
    'google/gemini-2.5-pro',
    'google/gemini-2.5-flash',
    'deepseek/deepseek-chat',
  ],
})
