// `npm test`: everything a fresh clone needs, then all tests, then one line that sums them up.
import { gate } from './node-version.mjs'

gate()
import('./run-tests.mjs').then((module) => module.runTests(process.argv.slice(2)))
