import { basename, relative, resolve, sep } from 'node:path'
import picomatch from 'picomatch'
import { z } from '../../../shared/schema.ts'
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from '../define-tool.ts'
import { type Files, worldError } from '../files/files.ts'
import { isInside, type Places, standingForRead } from '../files/guarded-paths.ts'
import { bounded, type LinePattern, linePattern, TooSlow } from '../search/bounded-match.ts'
import { linesOf, matchingLines, printMatches } from '../search/search-text.ts'
import { type FoundFile, walk } from '../search/walk.ts'
import { filePath } from './path-argument.ts'
import { assessPath, judgedPaths } from './path-assessment.ts'

const MAX_LIMIT = 500
/** Matching lines of one file that are looked at; the count says "at least" beyond. */
const PER_FILE_LIMIT = 10_000

const schema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      'target content: JavaScript regular expression, tried line by line, (?i) in front ignores case. target files: glob of names or relative paths.',
    ),
  target: z.enum(['content', 'files']).default('content'),
  path: filePath('File or folder to search; the working folder when left out.').optional(),
  file_glob: z.string().max(1_000).optional().describe('Only files whose name or relative path fits this glob.'),
  limit: z.int().min(1).max(MAX_LIMIT).default(50).describe('Matches (content) or files (other modes).'),
  offset: z.int().min(0).default(0).describe('Matches or files to skip, to go on where a search stopped.'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).default('content'),
  context: z.int().min(0).max(10).default(0).describe('Lines shown before and after each match.'),
})
type Args = z.infer<typeof schema>

interface Tally {
  binary: number
  large: number
  unreadable: number
}

/** Finds files by name or lines by pattern, always in the same order. */
export function searchFiles(ops: { files: Files; places: Places }): ToolDefinition {
  const paths = judgedPaths(ops.files)
  return defineTool<Args>({
    name: 'search_files',
    toolset: 'files',
    description:
      'Search file contents by regular expression, or file names by glob. Ignored files (.gitignore), .git, node_modules, binary and very large files are left out. Results come in path order.',
    schema,
    effect: 'read',
    parallel: 'safe',
    timeLimitMs: () => 60_000,
    summarize: ({ pattern, path, target }) =>
      `${target === 'files' ? 'files ' : ''}${pattern}${path === undefined ? '' : ` in ${path}`}`,
    gate: (args, { cwd }) =>
      paths.judge(args, resolve(cwd, args.path ?? '.'), (start) =>
        assessPath('search_files', start, standingForRead(start, ops.places), null),
      ),
    run: async (args, context) => {
      const asked = resolve(context.cwd, args.path ?? '.')
      try {
        const start = await paths.confirm(args, asked)
        const facts = await ops.files.look(start)
        if (facts === null) return refusal(`${asked} does not exist.`)
        if (facts.kind === 'other') return refusal(`${asked} is a device, pipe or socket and cannot be searched.`)
        return await new Search(ops, args, context, start, facts.kind === 'file').run()
      } catch (error) {
        context.signal.throwIfAborted()
        if (error instanceof TooSlow)
          return refusal(`The search was stopped: ${error.message}. Write the pattern more simply.`)
        return refusal(worldError(error, asked))
      }
    },
  })
}

class Search {
  readonly #ops: { files: Files; places: Places }
  readonly #args: Args
  readonly #context: ToolContext
  readonly #start: string
  readonly #singleFile: boolean
  readonly #skipped: Tally = { binary: 0, large: 0, unreadable: 0 }

  constructor(
    ops: { files: Files; places: Places },
    args: Args,
    context: ToolContext,
    start: string,
    singleFile: boolean,
  ) {
    this.#ops = ops
    this.#args = args
    this.#context = context
    this.#start = start
    this.#singleFile = singleFile
  }

  async run(): Promise<ToolResult> {
    if (this.#args.target === 'files') return this.#page(await this.#names(), '')
    const pattern = linePattern(this.#args.pattern)
    if (pattern.kind === 'invalid') {
      return refusal(
        `"${this.#args.pattern}" is no valid regular expression: ${pattern.reason}. Escape characters like ( [ { * + ? . with \\.`,
      )
    }
    return this.#args.output_mode === 'content'
      ? await this.#content(pattern)
      : this.#page(await this.#perFile(pattern), ' with matches')
  }

  /** One entry more than wanted, so that "there is more" is known. */
  get #enough(): number {
    return this.#args.offset + this.#args.limit + 1
  }

  async #names(): Promise<readonly string[]> {
    const fits = globTest(this.#args.pattern)
    const found: string[] = []
    for await (const file of this.#files()) {
      if (fits(file.relative)) found.push(this.#shownPath(file))
      if (found.length >= this.#enough) break
    }
    return found
  }

  async #perFile(pattern: LinePattern & { kind: 'pattern' }): Promise<readonly string[]> {
    const count = this.#args.output_mode === 'count'
    const found: string[] = []
    for await (const { file, matches } of this.#matches(pattern, count ? PER_FILE_LIMIT : 1)) {
      const more = matches.length >= PER_FILE_LIMIT ? '+' : ''
      found.push(count ? `${this.#shownPath(file)}:${matches.length}${more}` : this.#shownPath(file))
      if (found.length >= this.#enough) break
    }
    return found
  }

  async #content(pattern: LinePattern & { kind: 'pattern' }): Promise<ToolResult> {
    const { offset, limit, context } = this.#args
    const out: string[] = []
    let seen = 0
    let inFiles = 0
    for await (const { file, lines, matches } of this.#matches(pattern, this.#enough)) {
      const wanted = matches.slice(Math.max(0, offset - seen), Math.max(0, offset + limit - seen))
      seen += matches.length
      if (wanted.length > 0) {
        if (context > 0 && out.length > 0) out.push('--')
        out.push(...printMatches(this.#shownPath(file), lines, wanted, context))
        inFiles++
      }
      if (seen > offset + limit) break
    }
    const shown = Math.min(limit, Math.max(0, seen - offset))
    const more = seen > offset + limit
    return this.#answer(
      out,
      shown,
      more,
      `${shown === 1 ? 'match' : 'matches'} in ${inFiles} ${inFiles === 1 ? 'file' : 'files'}`,
    )
  }

  async *#matches(pattern: LinePattern & { kind: 'pattern' }, max: number) {
    for await (const file of this.#files()) {
      const text = await linesOf(this.#ops.files, file.path, pattern.literal, this.#context.signal)
      if (text.kind === 'skipped') {
        this.#skipped[text.why]++
        continue
      }
      const matches = await matchingLines(text.lines, pattern, max, this.#context.signal)
      if (matches.length > 0) yield { file, lines: text.lines, matches }
    }
  }

  async *#files(): AsyncGenerator<FoundFile> {
    if (this.#singleFile) {
      yield { path: this.#start, relative: basename(this.#start) }
      return
    }
    const fits = this.#args.file_glob === undefined ? () => true : globTest(this.#args.file_glob)
    for await (const file of walk(
      this.#ops.files,
      this.#start,
      this.#context.signal,
      () => this.#skipped.unreadable++,
    )) {
      // Keys and Herma's own files are never searched: nobody is asked for a search.
      if (fits(file.relative) && standingForRead(file.path, this.#ops.places).kind === 'plain') yield file
    }
  }

  #page(all: readonly string[], which: string): ToolResult {
    const { offset, limit } = this.#args
    const shown = all.slice(offset, offset + limit)
    return this.#answer(
      shown,
      shown.length,
      all.length > offset + limit,
      `${shown.length === 1 ? 'file' : 'files'}${which}`,
    )
  }

  #answer(out: readonly string[], shown: number, more: boolean, what: string): ToolResult {
    const { offset, limit } = this.#args
    const notes =
      shown === 0 ? [offset > 0 ? `Nothing beyond offset ${offset}.` : 'No matches.'] : [`${shown} ${what}.`]
    if (more) notes.push(`There is more: offset=${offset + limit}.`)
    const { binary, large, unreadable } = this.#skipped
    const skipped = [
      binary > 0 ? `${binary} binary` : '',
      large > 0 ? `${large} over 5 MB` : '',
      unreadable > 0 ? `${unreadable} unreadable` : '',
    ].filter((part) => part !== '')
    if (skipped.length > 0) notes.push(`Skipped: ${skipped.join(', ')}.`)
    return { content: [...out, `[${notes.join(' ')}]`].join('\n') }
  }

  /** As a person would name it from the working folder. */
  #shownPath(file: FoundFile): string {
    const { cwd } = this.#context
    const shown = isInside(file.path, cwd) ? relative(cwd, file.path) : file.path
    return (sep === '\\' ? shown.replaceAll('\\', '/') : shown) || basename(file.path)
  }
}

/** A glob without a slash fits names in any folder, as in ignore files. */
function globTest(glob: string): (path: string) => boolean {
  const test = picomatch(glob, { dot: true, basename: !glob.includes('/'), nonegate: true })
  // Three stars over a path cannot take long; watching the time costs more than the match.
  const short = (glob.match(/\*+/g)?.length ?? 0) <= 3 && !/[()]/.test(glob)
  return short ? test : (path) => bounded(() => test(path))
}

const refusal = (content: string): ToolResult => ({ content, failed: true })
