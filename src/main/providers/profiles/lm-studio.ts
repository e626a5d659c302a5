import { defineProvider } from '../define-provider.ts'

export const lmStudio = defineProvider({
  name: 'lm-studio',
  aliases: ['lmstudio'],
  display_name: 'LM Studio',
  description: 'Models on this machine, served by LM Studio.',
  base_url: 'http://127.0.0.1:1234/v1',
  needs_key: false,
})
