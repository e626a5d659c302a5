/** The built-in tools: one line each. Definitions are sorted by name later, so the order here is for the reader. */
import type { CommandAssessor } from '../approvals/assess-command.ts'
import type { ToolDefinition } from '../define-tool.ts'
import type { Files } from '../files/files.ts'
import type { Places } from '../files/guarded-paths.ts'
import type { SeenFiles } from '../files/seen-files.ts'
import type { Commands } from '../process/commands.ts'
import type { SecretMask } from '../process/secrets.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import { terminal } from './terminal.ts'
import { writeFile } from './write-file.ts'

export interface BuiltinParts {
  readonly files: Files
  readonly seen: SeenFiles
  readonly places: Places
  readonly commands: Commands
  readonly assess: CommandAssessor
  readonly secrets: SecretMask
  readonly env: Readonly<Record<string, string | undefined>>
}

export const builtinTools = (parts: BuiltinParts): readonly ToolDefinition[] => [
  readFile(parts),
  writeFile(parts),
  searchFiles(parts),
  terminal(parts),
]
