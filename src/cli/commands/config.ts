/** `herma config`: reads and writes the profile's file; needs no core and no database. */

import { Config, unknownKey } from '../../main/host/config/config.ts'
import { isConfigKey } from '../../main/host/config/keys.ts'
import type { ConfigEntry } from '../../shared/contract/index.ts'
import type { Json } from '../../shared/schema.ts'
import { EXIT, type ExitCode, failureOf } from '../exit.ts'
import { table } from '../output.ts'
import { homeOf } from '../place.ts'
import type { Invocation } from '../program.ts'

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const row = (entry: ConfigEntry): string[] => [entry.key, show(entry.value), entry.source]

export async function get(it: Invocation, key: string | undefined): Promise<ExitCode> {
  const config = new Config(homeOf(it))
  if (key !== undefined && !isConfigKey(key)) throw failureOf(unknownKey(key))
  if (key !== undefined) {
    const entry = config.entry(key)
    if (it.out.json) it.out.data(entry)
    else it.out.line(`${show(entry.value)}  ${it.out.dim(`(${entry.source})`)}`)
  } else if (it.out.json) it.out.data(config.all())
  else for (const line of table(['key', 'value', 'source'], config.all().map(row))) it.out.line(line)
  return EXIT.done
}

export async function set(it: Invocation, key: string, typed: string): Promise<ExitCode> {
  const stored = new Config(homeOf(it)).set(key, fromTyped(typed), null)
  if (!stored.ok) throw failureOf(stored.refusal)
  if (it.out.json) it.out.data(stored.value.entry)
  else it.out.line(`${key} = ${show(stored.value.entry.value)}`)
  return EXIT.done
}

export async function path(it: Invocation): Promise<ExitCode> {
  const { file } = new Config(homeOf(it))
  if (it.out.json) it.out.data({ path: file })
  else it.out.line(file)
  return EXIT.done
}

export async function check(it: Invocation): Promise<ExitCode> {
  const notices = new Config(homeOf(it)).notices()
  if (it.out.json) it.out.data({ ok: notices.length === 0, notices })
  else for (const notice of notices.length === 0 ? ['The configuration is fine.'] : notices) it.out.line(notice)
  return notices.length === 0 ? EXIT.done : EXIT.failed
}

/** `200`, `true`, `["a"]` are JSON; anything that is not stays text, so nobody has to quote a name. */
function fromTyped(typed: string): Json {
  try {
    return JSON.parse(typed) as Json
  } catch {
    return typed
  }
}
