/** Expected failure as a value: a call answers with a value or with a refusal the caller can act on. */
export type Result<T, R> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: R }

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })
export const refused = <R>(refusal: R): { readonly ok: false; readonly refusal: R } => ({ ok: false, refusal })

/** For switches over closed unions: adding an arm makes the compiler list every place that must answer for it. */
export const unreachable = (value: never): never => {
  throw new InvariantError('closed-union', `unexpected value ${JSON.stringify(value)}`)
}

/**
 * A broken rule of our own (a result without a call, a missing arm). Nobody catches it but the outermost loop, which
 * ends the turn as `local_error` and keeps the reason.
 */
export class InvariantError extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(`[${rule}] ${message}`)
    this.name = 'InvariantError'
    this.rule = rule
  }
}
