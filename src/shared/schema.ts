/** The one door to schemas (decisions 14): everything that crosses a process border is parsed with what stands here. */
import { z } from 'zod'

export type { ZodType } from 'zod'
export { z }

/** JSON as it crosses every transport: no dates, maps, undefined or functions. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** One sentence for a person from a failed parse: the first few problems with their path. */
export const explain = (error: z.ZodError): string =>
  error.issues
    .slice(0, 4)
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : ''}${issue.message}`)
    .join('; ')
