import { defineProvider } from '../define-provider.ts'

export const groq = defineProvider({
  name: 'groq',
  display_name: 'Groq',
  description: 'Open models, answered very fast.',
  signup_url: 'https://console.groq.com/keys',
  base_url: 'https://api.groq.com/openai/v1',
  env_vars: ['GROQ_API_KEY'],
  models: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b', 'llama-3.3-70b-versatile', 'llama-3.1-8b-instant'],
})
