import { defineProvider } from '../define-provider.ts'

export const deepseek = defineProvider({
  name: 'deepseek',
  display_name: 'DeepSeek',
  description: 'DeepSeek chat and reasoning models.',
  signup_url: 'https://platform.deepseek.com/api_keys',
  base_url: 'https://api.deepseek.com/v1',
  env_vars: ['DEEPSEEK_API_KEY'],
  models: ['deepseek-chat', 'deepseek-reasoner'],
})
