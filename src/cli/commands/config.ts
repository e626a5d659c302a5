/** `herma config`: reads and writes the profile's file; needs no core and no database. */
import { Config, typedValue, unknownKey } from '../../main/host/config/config.ts'
import { CONFIG_KEYS, isConfigKey } from '../../main/host/config/keys.ts'
import type { ConfigEntry } from '../../shared/contract/index.ts'
import { EXIT, type ExitCode, failureOf } from '../exit.ts'
import { table } from '../output.ts'
import { homeOf } from '../place.ts'
import type { Invocation } from '../program.ts'

const open = (it: Invocation): Config => new Config(homeOf(it), {}, it.env)
const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const row = (entry: ConfigEntry): string[] => [entry.key, show(entry.value), entry.source]

/** The value alone on stdout, so that a script can take it; who spoke is beside it, and in `--json`. */
export async function get(it: Invocation, key: string | undefined): Promise<ExitCode> {
  const config = open(it)
  if (key !== undefined && !isConfigKey(key)) throw failureOf(unknownKey(key))
  if (key === undefined) {
    if (it.out.json) it.out.data(config.all())
    else for (const line of table(['key', 'value', 'source'], config.all().map(row))) it.out.line(line)
    return EXIT.done
  }
  const entry = config.entry(key)
  if (it.out.json) it.out.data(entry)
  else {
    it.out.line(show(entry.value))
    it.out.note(it.out.dim(`(${entry.source}) ${CONFIG_KEYS[key].about}`))
  }
  return EXIT.done
}

export async function set(it: Invocation, key: string, typed: string): Promise<ExitCode> {
  if (!isConfigKey(key)) throw failureOf(unknownKey(key))
  const config = open(it)
  const stored = config.set(key, typedValue(key, typed), null)
  if (!stored.ok) throw failureOf(stored.refusal)
  const { entry } = stored.value
  if (it.out.json) it.out.data(entry)
  else it.out.line(`${key} = ${show(entry.value)}`)
  if (entry.source === 'environment') it.out.note(`Stored, but the environment speaks first: ${show(entry.value)}.`)
  return EXIT.done
}

export async function path(it: Invocation): Promise<ExitCode> {
  const { file } = open(it)
  if (it.out.json) it.out.data({ path: file })
  else it.out.line(file)
  return EXIT.done
}

/** Unknown keys are told, and are no failure: another version or an extension may know them. */
export async function check(it: Invocation): Promise<ExitCode> {
  const findings = open(it).findings()
  const usable = findings.every(({ kind }) => kind === 'unknown')
  if (it.out.json) it.out.data({ ok: usable, notices: findings.map(({ text }) => text) })
  else if (findings.length === 0) it.out.line('The configuration is fine.')
  else for (const { text } of findings) it.out.line(text)
  return usable ? EXIT.done : EXIT.failed
}
