import type { ProviderProfile } from '../define-provider.ts'
import { custom } from './custom.ts'
import { deepseek } from './deepseek.ts'
import { demo } from './demo.ts'
import { groq } from './groq.ts'
import { lmStudio } from './lm-studio.ts'
import { mistral } from './mistral.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { together } from './together.ts'

/** In the order of the list a person sees: the demo, services by reach, this machine, anything else. */
export const PROFILES: readonly ProviderProfile[] = [
  demo,
  openai,
  openrouter,
  deepseek,
  mistral,
  groq,
  together,
  ollama,
  lmStudio,
  custom,
]
