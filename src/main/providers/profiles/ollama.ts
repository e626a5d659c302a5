import { defineProvider } from '../define-provider.ts'

export const ollama = defineProvider({
  name: 'ollama',
  display_name: 'Ollama',
  description: 'Models on this machine, served by Ollama.',
  base_url: 'http://127.0.0.1:11434/v1',
  needs_key: false,
})
