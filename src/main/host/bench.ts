/** What `herma bench` measures, within reach of the command line (architecture 2: the command line imports host only). */
export { sessionPairs } from '../sessions/bench-pairs.ts'
export { type Measured, measure, type Pair } from '../storage/measure.ts'
