/**
 * The contract between the sides (kernel 8): methods, events, refusals. A changed shape changes the fingerprint, and
 * the fingerprint test then asks for a new protocol number and a line of history in `version.ts`.
 */
import { z } from '../schema.ts'
import { errorObject } from './refusals.ts'
import { sessionMethods } from './session.ts'
import { settingsMethods } from './settings.ts'
import { turnMethods } from './turn.ts'

export const methods = { ...sessionMethods, ...turnMethods, ...settingsMethods } as const

export type MethodName = keyof typeof methods
export const METHOD_NAMES = Object.keys(methods) as readonly MethodName[]
/** What a caller writes (defaults may be left out). */
export type ParamsIn<M extends MethodName> = z.input<(typeof methods)[M]['params']>
/** What a handler receives (parsed, defaults filled). */
export type Params<M extends MethodName> = z.output<(typeof methods)[M]['params']>
export type ResultOf<M extends MethodName> = z.output<(typeof methods)[M]['result']>

/** A request frame. `id` is chosen by the caller and only pairs the answer. */
export const requestFrame = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string().max(200)]),
  method: z.string().min(1).max(100),
  params: z.json().optional(),
})
export const responseFrame = z.union([
  z.strictObject({ jsonrpc: z.literal('2.0'), id: z.union([z.number(), z.string(), z.null()]), result: z.json() }),
  z.strictObject({ jsonrpc: z.literal('2.0'), id: z.union([z.number(), z.string(), z.null()]), error: errorObject }),
])
export const eventMessage = z.strictObject({ jsonrpc: z.literal('2.0'), method: z.literal('event'), params: z.json() })

/** The largest request a door accepts: an input of the permitted size with every character escaped still fits. */
export const REQUEST_LIMIT_BYTES = 8 * 1_048_576

export * from './events.ts'
export * from './refusals.ts'
export * from './session.ts'
export * from './settings.ts'
export * from './transcript.ts'
export * from './turn.ts'
export * from './turn-end.ts'
export { PROTOCOL } from './version.ts'
