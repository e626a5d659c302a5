/** How a method is described. Both sides derive: the router demands a handler for each, the client offers exactly these. */
import { profileName } from '../ids.ts'
import { z } from '../schema.ts'

export interface MethodSpec<P extends z.ZodType, R extends z.ZodType> {
  readonly params: P
  readonly result: R
}

/** Every call names its profile (kernel 8.3, G-07): there is no ambient default, and unknown params are refused. */
export const method = <S extends z.ZodRawShape, R extends z.ZodType>(
  shape: S,
  result: R,
): MethodSpec<z.ZodObject<S & { profile: typeof profileName }, z.core.$strict>, R> => ({
  params: z.strictObject({ profile: profileName, ...shape }) as never,
  result,
})
