/** Secret values of the process environment: not handed to commands, not shown in what they print. */

type Env = Readonly<Record<string, string | undefined>>

const SECRET_NAME =
  /(?:_|^)(?:API_?)?KEY$|_KEY_ID$|(?:_|^)TOKEN$|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:_|^)PAT$/i
/** Shorter values ("1", "admin") stand in ordinary text too often. */
const MIN_LENGTH = 8

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

export interface SecretMask {
  /** Every known value replaced by `[masked NAME]`. */
  mask(text: string): string
  /** Length of the longest end of `text` that could be the beginning of a secret: to be held back in a stream. */
  heldBack(text: string): number
}

/** @param env names decide which values are secret; values of eight characters and more are looked for */
export function secretMask(env: Env): SecretMask {
  const secrets = Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && isSecretName(name) ? [{ name, value: value.trim() }] : []))
    .filter(({ value }) => value.length >= MIN_LENGTH)
    .sort((a, b) => b.value.length - a.value.length)
  return {
    mask: (text) =>
      secrets.reduce((masked, { name, value }) => masked.replaceAll(value, () => `[masked ${name}]`), text),
    heldBack: (text) => {
      let held = 0
      for (const { value } of secrets) {
        for (let length = Math.min(value.length - 1, text.length); length > held; length--) {
          if (text.endsWith(value.slice(0, length))) {
            held = length
            break
          }
        }
      }
      return held
    },
  }
}

/** The environment of a command: no secrets, nothing that waits for a keyboard, nothing of this process's own. */
export function commandEnv(env: Env): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isSecretName(name) || OWN.test(name)) continue
    out[name] = value
  }
  return { ...out, PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }
}

/** Run-as-node would turn every Electron program a command starts into a Node; fault switches are for this process. */
const OWN = /^(?:ELECTRON_RUN_AS_NODE|ELECTRON_NO_ATTACH_CONSOLE|HERMA_FAULTS?|HERMA_CLOCK_OFFSET_MS|NODE_CHANNEL_FD)$/
