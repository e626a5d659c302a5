/** Rules that a look at the source can keep. Each is a pattern that must not appear, with the places that may. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesBelow } from './sources.ts'

interface SourceRule {
  readonly id: string
  readonly says: string
  readonly within: readonly string[]
  readonly except?: readonly string[]
  readonly pattern: RegExp
  /** A line that breaks it, so that the pattern is known to bite. */
  readonly broken: string
}

const FS_CALL =
  'readFile|readFileSync|copyFile|copyFileSync|cp|cpSync|open|openSync|openAsBlob|createReadStream|createWriteStream|writeFile|writeFileSync|appendFile|appendFileSync|truncate|truncateSync'

const RULES: readonly SourceRule[] = [
  {
    id: 'speed 3',
    says: 'a database file is never touched with fs: closing any descriptor of it drops the locks of this process',
    within: ['src'],
    pattern: new RegExp(
      `\\b(${FS_CALL})\\([^)\\n]*(\\.db\\b|-wal\\b|-shm\\b|stateFile|boardFile|store\\.file|db\\.name)`,
    ),
    broken: "copyFileSync(join(home.path, 'state.db'), target)",
  },
  {
    id: 'architecture 7',
    says: 'settings of a connection stand in one place',
    within: ['src'],
    except: ['src/main/storage'],
    pattern: /\bpragma\b\s*[(`']/i,
    broken: "db.pragma('synchronous = NORMAL')",
  },
  {
    id: 'architecture 8',
    says: 'statements stand with the owner of the fact',
    within: ['src'],
    except: [
      'src/main/storage',
      'src/main/sessions',
      'src/main/board',
      'src/main/providers/demo/stories',
      'src/cli/bench/process-rows.ts',
    ],
    pattern: /\b(insert (or \w+ )?into \w+|delete from \w+ where|update \w+ set \w+|select [\w*., ()]+ from \w+)\b/i,
    broken: 'db.prepare(`update sessions set title = ?`)',
  },
  {
    id: 'architecture 3',
    says: 'the core reads the clock, chance and environment it was given',
    within: ['src/main/kernel', 'src/main/sessions', 'src/main/tools', 'src/main/rpc'],
    except: ['src/main/sessions/bench-pairs.ts'],
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.env\b/,
    broken: 'const now = Date.now()',
  },
  {
    id: 'U-251',
    says: 'text of models and tools never becomes markup or code',
    within: ['src'],
    pattern:
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(|\beval\(|new Function\(/,
    broken: 'element.innerHTML = answer',
  },
  {
    id: 'U-250',
    says: 'what leaves for the system browser leaves through one place',
    within: ['src'],
    except: ['src/main/app/navigation.ts', 'src/main/app/boot.ts'],
    pattern: /\bopenExternal\b/,
    broken: 'shell.openExternal(url)',
  },
  {
    id: 'U-39',
    says: 'keys go through the asynchronous calls of the secret store',
    within: ['src/main/app'],
    pattern: /safeStorage\.(encryptString|decryptString|isEncryptionAvailable)\(/,
    broken: 'safeStorage.encryptString(key)',
  },
  {
    id: 'style 2',
    says: 'nothing is left open in the source',
    within: ['src', 'bin', 'scripts'],
    pattern: /\b(TODO|FIXME|XXX)\b|[Nn]ot implemented/,
    broken: '// TODO: later',
  },
]

const matches = (rule: SourceRule): string[] =>
  rule.within
    .flatMap((folder) => filesBelow(folder, ['.ts', '.tsx', '.mjs', '.cjs']))
    .filter((file) => !(rule.except ?? []).some((place) => file === place || file.startsWith(`${place}/`)))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (rule.pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    )

test.each(RULES.map((rule) => [rule.id, rule.says, rule] as const))('[%s] %s', (_id, _says, rule) => {
  expect(rule.broken).toMatch(rule.pattern)
  expect(matches(rule)).toEqual([])
})
