// `npm run check`: types, lint, dead code and import arrows, all of them, then a summary.
import { gate } from './node-version.mjs'

gate()
import('./run-checks.mjs').then((module) => module.runChecks())
