import { defineProvider } from '../define-provider.ts'

export const together = defineProvider({
  name: 'together',
  aliases: ['together-ai', 'togetherai'],
  display_name: 'Together AI',
  description: 'A large catalogue of open models.',
  signup_url: 'https://api.together.ai/settings/api-keys',
  base_url: 'https://api.together.xyz/v1',
  env_vars: ['TOGETHER_API_KEY'],
  models: ['openai/gpt-oss-120b', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', 'deepseek-ai/DeepSeek-V3.1'],
})
