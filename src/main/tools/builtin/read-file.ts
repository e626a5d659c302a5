import { resolve } from 'node:path'
import { z } from '../../../shared/schema.ts'
import { defineTool, type ToolDefinition, type ToolResult } from '../define-tool.ts'
import { type Files, worldError } from '../files/files.ts'
import { type Places, standingForRead } from '../files/guarded-paths.ts'
import { PAGE_LINES, type Page, readPage } from '../files/read-page.ts'
import type { SeenFiles } from '../files/seen-files.ts'
import { filePath } from './path-argument.ts'
import { assessPath, judgedPaths } from './path-assessment.ts'

const schema = z.strictObject({
  path: filePath('File to read, absolute or relative to the working folder.'),
  offset: z.int().min(1).default(1).describe('First line, counted from 1.'),
  limit: z.int().min(1).max(PAGE_LINES).default(PAGE_LINES).describe('Number of lines.'),
})

/** Reads a page of a text file. Remembers what the conversation saw, for the stale-read guard of write_file. */
export function readFile(ops: { files: Files; seen: SeenFiles; places: Places }): ToolDefinition {
  const paths = judgedPaths(ops.files)
  return defineTool<z.infer<typeof schema>>({
    name: 'read_file',
    toolset: 'files',
    description:
      'Read a text file. Lines come as "<number>|<text>". A long file comes in pages: go on with offset = next_offset. Binary files are refused.',
    schema,
    effect: 'read',
    parallel: 'safe',
    timeLimitMs: () => 60_000,
    maxResultChars: Infinity,
    summarize: ({ path, offset }) => (offset > 1 ? `${path} from line ${offset}` : path),
    gate: (args, { cwd }) =>
      paths.judge(args, resolve(cwd, args.path), (real) =>
        assessPath('read_file', real, standingForRead(real, ops.places), null),
      ),
    run: async (args, { cwd, conversation, signal }) => {
      const { path, offset, limit } = args
      const asked = resolve(cwd, path)
      try {
        const real = await paths.confirm(args, asked)
        const facts = await ops.files.look(real)
        if (facts === null) return await missing(ops.files, asked)
        if (facts.kind === 'folder') {
          return refusal(`${asked} is a folder. List it with search_files (target "files") or the terminal.`)
        }
        if (facts.kind === 'other') return refusal(`${asked} is a device, pipe or socket; only regular files are read.`)
        const page = await readPage(ops.files.read(real, signal), offset, limit)
        if (page.kind === 'binary') return refusal(`${asked} is not a text file: ${page.reason} (${facts.size} bytes).`)
        ops.seen.note(conversation, real, facts.stamp)
        return pageResult(asked, page, offset)
      } catch (error) {
        signal.throwIfAborted()
        return refusal(worldError(error, asked))
      }
    },
  })
}

function pageResult(path: string, page: Page & { kind: 'page' }, offset: number): ToolResult {
  const notes: string[] = []
  if (page.totalLines === 0) notes.push('The file is empty.')
  else if (page.lines === 0) {
    return refusal(`${path} has ${page.totalLines} lines; offset ${offset} is past its end.`)
  }
  if (page.nextOffset !== null) {
    notes.push(`Lines ${offset}-${offset + page.lines - 1}; there is more: next_offset=${page.nextOffset}.`)
  } else if (offset > 1) notes.push(`Lines ${offset}-${page.totalLines} of ${page.totalLines}; end of file.`)
  if (page.cutLines > 0) notes.push(`${page.cutLines} long lines were cut.`)
  if (page.crlf) notes.push('Lines end in CRLF.')
  const content = notes.length === 0 ? page.text : `${page.text}${page.text === '' ? '' : '\n'}[${notes.join(' ')}]`
  return { content, files: [path] }
}

/** A missing file, with names nearby that differ only in case or have it as a part. */
async function missing(files: Files, path: string): Promise<ToolResult> {
  const folder = resolve(path, '..')
  const name = path
    .slice(folder.length)
    .replace(/^[\\/]+/, '')
    .toLowerCase()
  const facts = await files.look(folder)
  if (facts === null) return refusal(`${path} does not exist, and neither does the folder ${folder}.`)
  const entries = facts.kind === 'folder' ? await files.list(folder).catch(() => []) : []
  const stem = name.replace(/\.[^.]*$/, '')
  const near = entries
    .map((entry) => entry.name)
    .filter((entry) => entry.toLowerCase() === name || (stem !== '' && entry.toLowerCase().includes(stem)))
    .slice(0, 5)
  return refusal(`${path} does not exist.${near.length > 0 ? ` Near it: ${near.join(', ')}.` : ''}`)
}

const refusal = (content: string): ToolResult => ({ content, failed: true })
