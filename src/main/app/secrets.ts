/** The operating system's secret store through Electron's asynchronous calls (U-39). After `ready`. */
import { join } from 'node:path'
import { app, safeStorage } from 'electron'
import { systemClock } from '../../shared/time.ts'
import type { Home } from '../host/home.ts'
import type { Secrets } from '../host/ports.ts'
import { type Cipher, keyBox } from './key-box.ts'

const STORES: Readonly<Record<string, string>> = { darwin: 'keychain', win32: 'dpapi' }

/** What this machine encrypts with. Never rejects: a store that fails to open is one that is not there. */
export async function osCipher(): Promise<Cipher> {
  return {
    store: STORES[process.platform] ?? safeStorage.getSelectedStorageBackend(),
    available: await safeStorage.isAsyncEncryptionAvailable().catch(() => false),
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    decrypt: async (bytes) => (await safeStorage.decryptStringAsync(bytes)).result,
  }
}

/** Keys of one profile, in the app's own folder of the home. */
export const secretsOf = (home: Home, cipher: Cipher): Secrets =>
  keyBox({ file: join(app.getPath('userData'), `keys-${home.profile}.json`), cipher, now: () => systemClock.now() })
