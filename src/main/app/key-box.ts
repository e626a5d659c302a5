/**
 * Provider keys of the desktop app (U-39, U-40): encrypted by the operating system, in one owner-only file; or in memory
 * until the app quits. Knows no Electron: what encrypts comes in, so that each store can be tested.
 */
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from '../../shared/schema.ts'
import type { SecretStorage, Secrets } from '../host/ports.ts'

export interface Cipher {
  /** Where the operating system keeps what encrypts: `keychain`, `dpapi`, `gnome_libsecret`, `basic_text`, … */
  readonly store: string
  readonly available: boolean
  encrypt(text: string): Promise<Buffer>
  decrypt(bytes: Buffer): Promise<string>
}

const sealed = z.object({ key: z.string(), setAt: z.number() })
type Sealed = z.infer<typeof sealed>
const boxFile = z.record(z.string(), z.string())

/**
 * The desktop's secret store.
 * @param options.file absolute path of the box; made with the first stored key
 * @param options.now wall clock, ms
 */
export function keyBox({
  file,
  cipher,
  now,
}: {
  readonly file: string
  readonly cipher: Cipher
  readonly now: () => number
}): Secrets {
  const memory = new Map<string, Sealed>()
  /** Changes go one after the other: each reads the whole box and writes it back. */
  let tail: Promise<unknown> = Promise.resolve()
  const change = <T>(work: (box: Record<string, string>) => Promise<T> | T): Promise<T> => {
    const mine = tail.then(async () => work(await readBox(file)))
    tail = mine.catch(() => undefined)
    return mine
  }
  const stored = async (name: string): Promise<Sealed | null> => {
    const bytes = (await readBox(file))[name]
    if (bytes === undefined || !cipher.available) return null
    return sealed.parse(JSON.parse(await cipher.decrypt(Buffer.from(bytes, 'base64'))))
  }
  const find = async (name: string): Promise<(Sealed & { readonly storage: SecretStorage }) | null> => {
    const kept = memory.get(name)
    if (kept !== undefined) return { ...kept, storage: 'memory' }
    const found = await stored(name)
    return found === null ? null : { ...found, storage: 'os' }
  }
  return {
    storage: describeStore(cipher),
    async get(name) {
      return (await find(name))?.key ?? null
    },
    async describe(name) {
      const found = await find(name)
      return found === null ? null : { lastFour: found.key.slice(-4), setAt: found.setAt, storage: found.storage }
    },
    async set(name, key, keep) {
      const entry: Sealed = { key, setAt: now() }
      if (keep === 'until_quit') {
        memory.set(name, entry)
        return 'memory'
      }
      if (!cipher.available)
        throw new Error(
          'The operating system offers no secret store here. Keep the key until you quit, or set it in the environment.',
        )
      const bytes = await cipher.encrypt(JSON.stringify(entry))
      await change((box) => writeBox(file, { ...box, [name]: bytes.toString('base64') }))
      memory.delete(name)
      return 'os'
    },
    remove: (name) =>
      change(async ({ [name]: bytes, ...rest }) => {
        const had = memory.delete(name)
        if (bytes === undefined) return had
        await writeBox(file, rest)
        return true
      }),
  }
}

const NAMES: Readonly<Record<string, string>> = {
  keychain: 'the macOS Keychain',
  dpapi: "Windows' data protection",
  gnome_libsecret: "the desktop's keyring",
  kwallet: 'KWallet',
  kwallet5: 'KWallet',
  kwallet6: 'KWallet',
}

/** How keys are kept here, said plainly (U-40). */
function describeStore(cipher: Cipher): Secrets['storage'] {
  if (!cipher.available)
    return {
      kind: 'memory',
      secure: false,
      detail: 'This system offers no secret store: a key is kept until you quit.',
    }
  if (cipher.store === 'basic_text')
    return {
      kind: 'os',
      secure: false,
      detail:
        'No keyring was found, so a stored key would be scrambled with a fixed password that anybody can look up. It is kept until you quit unless you choose to store it anyway.',
    }
  return { kind: 'os', secure: true, detail: `Encrypted with ${NAMES[cipher.store] ?? cipher.store}.` }
}

async function readBox(file: string): Promise<Record<string, string>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  const box = boxFile.safeParse(tryJson(text))
  if (!box.success) throw new Error(`${file} is damaged. Move it away and enter the keys again; nothing else is in it.`)
  return box.data
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // reported as damaged by the caller
  }
}

/** Whole or not at all: the old box stays until the new one is on the disk. */
async function writeBox(file: string, box: Record<string, string>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.next`
  const handle = await open(next, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(box))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(next, file)
}
