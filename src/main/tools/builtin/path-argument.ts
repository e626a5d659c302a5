import { z } from '../../../shared/schema.ts'

/** A path as a model writes it. The system takes no NUL and no kernel takes more than 4,096 bytes. */
export const filePath = (description: string) =>
  z
    .string()
    .min(1)
    .max(4_096)
    .refine((path) => !path.includes('\0'), 'has a NUL character')
    .describe(description)
