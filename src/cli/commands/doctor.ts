/** `herma doctor`: the check-up of the host, printed. Exit 1 when a check fails or a rule is broken. */
import { checkUp } from '../../main/host/checkup.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { findHomeOf, screensFolder } from '../place.ts'
import type { Invocation } from '../program.ts'
import { VERSION } from '../version.ts'

export async function doctor(it: Invocation, flags: { deep?: boolean }): Promise<ExitCode> {
  const found = await checkUp({
    home: findHomeOf(it),
    env: it.env,
    deep: flags.deep === true,
    screensFolder: screensFolder(),
  })
  if (it.out.json) it.out.data({ ...found, version: VERSION })
  else {
    for (const check of found.checks) it.out.line(`${check.ok ? 'ok  ' : 'FAIL'} ${check.id.padEnd(9)} ${check.detail}`)
    for (const { rule, table, key, detail } of found.violations) it.out.line(`FAIL ${rule} ${table} ${key}: ${detail}`)
  }
  return found.ok ? EXIT.done : EXIT.failed
}
