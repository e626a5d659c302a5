/** Imported first by what runs before a page's content policy holds and goes on under it, where no text may become code. */
import { z } from '../../src/shared/schema.ts'

z.config({ jitless: true })
