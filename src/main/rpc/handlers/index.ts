/** Every method's handler; the compiler asks for a missing one. */
import type { Handlers } from '../router.ts'
import type { Services } from '../services.ts'
import { sessionHandlers } from './session.ts'
import { settingsHandlers } from './settings.ts'
import { turnHandlers } from './turn.ts'

export const createHandlers = (services: Services): Handlers => ({
  ...sessionHandlers(services.conversations),
  ...turnHandlers(services.turns),
  ...settingsHandlers(services.settings),
})
