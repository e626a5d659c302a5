/**
 * Refusals are values: what was refused, whether trying again can help, and what to do next (kernel 8.3,
 * session-db 7.3). The numeric code is the JSON-RPC one; the name is what programs compare.
 */
import { type Json, z } from '../schema.ts'

const table = {
  unknown_method: { numeric: -32601, retry: false },
  invalid_params: { numeric: -32602, retry: false },
  parse_error: { numeric: -32700, retry: false },
  invalid_request: { numeric: -32600, retry: false },
  internal: { numeric: -32603, retry: false },
  not_found: { numeric: 4001, retry: false },
  busy: { numeric: 4009, retry: true },
  stale_revision: { numeric: 4010, retry: true },
  profile_unknown: { numeric: 4011, retry: false },
  session_busy: { numeric: 4012, retry: true },
  not_idle: { numeric: 4013, retry: true },
  admission_conflict: { numeric: 4014, retry: false },
  persistence: { numeric: 5001, retry: true },
  permission_denied: { numeric: 4003, retry: false },
  profile_mismatch: { numeric: 4015, retry: false },
  stale_epoch: { numeric: 4016, retry: true },
  stale_generation: { numeric: 4017, retry: false },
  revision_conflict: { numeric: 4018, retry: true },
  unknown_execution: { numeric: 4019, retry: false },
  runtime_draining: { numeric: 4020, retry: true },
  stale_queue: { numeric: 4021, retry: false },
  session_in_use: { numeric: 4022, retry: true },
  lease_lost: { numeric: 4023, retry: false },
  compression_busy: { numeric: 4024, retry: true },
  compression_closed: { numeric: 4025, retry: false },
  prompt_unbound: { numeric: 4026, retry: false },
  transcript_immutable: { numeric: 4027, retry: false },
  resume_too_large: { numeric: 4028, retry: false },
  export_too_large: { numeric: 4029, retry: false },
  expired: { numeric: 4030, retry: false },
  provider_unconfigured: { numeric: 4031, retry: false },
  newer_schema: { numeric: 5010, retry: false },
  db_locked: { numeric: 5011, retry: true },
  db_full: { numeric: 5012, retry: true },
  db_readonly: { numeric: 5013, retry: false },
  db_corrupt: { numeric: 5014, retry: false },
  db_unavailable: { numeric: 5015, retry: true },
  disconnected: { numeric: 5020, retry: true },
} as const satisfies Record<string, { numeric: number; retry: boolean }>

export type RefusalCode = keyof typeof table
export const REFUSAL_CODES = Object.keys(table) as readonly RefusalCode[]

/** What the caller gets instead of a value. `message` is one plain sentence, `next` what to do now. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly next?: string
  /** Whether the same call may succeed later without the caller changing it. */
  readonly retry: boolean
  /** Facts for the caller to act on, for example the current value behind a stale revision. */
  readonly data?: Json
}

export const refusal = (code: RefusalCode, message: string, more: { next?: string; data?: Json } = {}): Refusal => ({
  code,
  message,
  retry: table[code].retry,
  ...more,
})

export const numericCode = (code: RefusalCode): number => table[code].numeric

/** `error` of a JSON-RPC response. */
export const errorObject = z.strictObject({
  code: z.number().int(),
  message: z.string(),
  data: z.strictObject({
    refusal: z.enum(REFUSAL_CODES as [RefusalCode, ...RefusalCode[]]),
    next: z.string().optional(),
    detail: z.json().optional(),
  }),
})
export type ErrorObject = z.infer<typeof errorObject>

export const toErrorObject = (r: Refusal): ErrorObject => ({
  code: numericCode(r.code),
  message: r.message,
  data: {
    refusal: r.code,
    ...(r.next === undefined ? {} : { next: r.next }),
    ...(r.data === undefined ? {} : { detail: r.data as z.infer<ReturnType<typeof z.json>> }),
  },
})

export const fromErrorObject = (e: ErrorObject): Refusal => ({
  code: e.data.refusal,
  message: e.message,
  retry: table[e.data.refusal].retry,
  ...(e.data.next === undefined ? {} : { next: e.data.next }),
  ...(e.data.detail === undefined ? {} : { data: e.data.detail }),
})
