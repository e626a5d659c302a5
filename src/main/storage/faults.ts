/**
 * Fault injection (cli.md 5): a crash is an ordinary input. Active only when HERMA_FAULTS=1, with
 * HERMA_FAULT=<point>:<action>[:<nth>], action `kill`, `throw`, `enospc` or `delay=<ms>`. Points are the names of
 * durable writes (`<name>.before`, `<name>.after`) and of stage boundaries.
 */
export interface Faults {
  /** Does what the environment asks for at this point, usually nothing. May throw, may end the process. */
  reach(point: string): void
}

export const NO_FAULTS: Faults = { reach: () => {} }

/** Thrown by `throw`, so that a test can tell an injected fault from a real one. */
export class InjectedFault extends Error {
  readonly code: string | undefined
  constructor(point: string, code?: string) {
    super(`injected fault at ${point}`)
    this.name = 'InjectedFault'
    this.code = code
  }
}

/** Reads the two variables; unusable text is refused, so that a mistyped point cannot look like a passed test. */
export function faultsFrom(env: Readonly<Record<string, string | undefined>>): Faults {
  const spec = env['HERMA_FAULT']
  if (env['HERMA_FAULTS'] !== '1' || spec === undefined || spec === '') return NO_FAULTS
  const [point, action = '', nth = '1'] = spec.split(':')
  if (point === undefined || !/^(kill|throw|enospc|delay=\d+)$/.test(action) || !/^[1-9]\d*$/.test(nth))
    throw new TypeError(`HERMA_FAULT=${spec} is not <point>:<kill|throw|enospc|delay=ms>[:<nth>]`)
  let left = Number(nth)
  return {
    reach(reached) {
      if (reached !== point || --left !== 0) return
      if (action === 'kill') process.kill(process.pid, 'SIGKILL')
      if (action === 'throw') throw new InjectedFault(point)
      if (action === 'enospc') throw new InjectedFault(point, 'SQLITE_FULL')
      // A blocked loop is what this action imitates, so it really blocks.
      if (action.startsWith('delay='))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(action.slice(6)))
    },
  }
}
