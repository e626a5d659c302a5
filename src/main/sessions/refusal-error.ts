/**
 * A refusal met inside a transaction. Throwing it is what rolls the transaction back; the edge of `sessions` turns it
 * into a value again (`asResult`), so callers never see an exception for something they can act on.
 */
import { type Refusal, type RefusalCode, refusal } from '../../shared/contract/index.ts'
import { ok, type Result, refused } from '../../shared/result.ts'
import type { Json } from '../../shared/schema.ts'
import { StorageError } from '../storage/index.ts'

export class RefusalError extends Error {
  readonly refusal: Refusal
  constructor(code: RefusalCode, message: string, more: { next?: string; data?: Json } = {}) {
    super(message)
    this.name = 'RefusalError'
    this.refusal = refusal(code, message, more)
  }
}

/** The refusal behind an error; null when the error is a fault of ours and must go on to the outermost loop. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof RefusalError) return error.refusal
  if (error instanceof StorageError) return refusal(error.code, error.message, { next: error.next })
  return null
}

/** Runs a write and gives its refusal as a value. */
export async function asResult<T>(work: Promise<T>): Promise<Result<T, Refusal>> {
  try {
    return ok(await work)
  } catch (error) {
    const known = refusalOf(error)
    if (known === null) throw error
    return refused(known)
  }
}
