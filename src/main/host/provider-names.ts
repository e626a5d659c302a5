import { type Refusal, refusal } from '../../shared/contract/index.ts'
import { PROFILES } from '../providers/profiles/index.ts'
import { nearest } from './config/nearest.ts'

/** Why a name is no provider, with the one that was probably meant; null when it is one. Loads no adapter. */
export function unknownProvider(typed: string): Refusal | null {
  const wanted = typed.trim().toLowerCase()
  if (PROFILES.some(({ name, aliases }) => name === wanted || aliases.includes(wanted))) return null
  const names = PROFILES.map(({ name }) => name)
  const meant = nearest(wanted, names)
  return refusal('invalid_params', `There is no provider "${typed}".`, {
    next: meant === undefined ? `These are known: ${names.join(', ')}.` : `Did you mean ${meant}?`,
  })
}
