import { dirname, resolve } from 'node:path'
import { z } from '../../../shared/schema.ts'
import { scrubSurrogates } from '../../../shared/text.ts'
import { defineTool, type ToolDefinition, type ToolResult } from '../define-tool.ts'
import { type FileFacts, type Files, worldError } from '../files/files.ts'
import { folderRule, isInside, type Places, standingForWrite } from '../files/guarded-paths.ts'
import type { SeenFiles } from '../files/seen-files.ts'
import { filePath } from './path-argument.ts'
import { assessPath, judgedPaths } from './path-assessment.ts'

/** UTF-16 units; larger files are a program's work, not a model's. */
const CONTENT_LIMIT = 5_000_000

const schema = z.strictObject({
  path: filePath('File to write, absolute or relative to the working folder. Missing folders are made.'),
  content: z.string().max(CONTENT_LIMIT).describe('The complete new content of the file.'),
})

/** Writes whole files: the path that was judged, all or nothing, and never over an edit nobody here has seen. */
export function writeFile(ops: { files: Files; seen: SeenFiles; places: Places }): ToolDefinition {
  const { files, seen, places } = ops
  const paths = judgedPaths(files)
  return defineTool<z.infer<typeof schema>>({
    name: 'write_file',
    toolset: 'files',
    description:
      'Write a whole text file, replacing what is there in one step. A file that changed since you read it is not overwritten: read it again first. Paths outside the working folder need the person to agree.',
    schema,
    effect: 'write',
    parallel: 'path',
    timeLimitMs: () => 60_000,
    windDownMs: 1_000,
    summarize: ({ path, content }) => `${path} (${content.length} characters)`,
    gate: (args, { cwd }) =>
      paths.judge(args, resolve(cwd, args.path), async (real) => {
        const inside = isInside(real, await files.real(cwd), places.foldCase)
        const outside = inside
          ? null
          : { reason: `the file is outside the working folder ${cwd}`, folder: folderRule(real, places) }
        return assessPath('write_file', real, standingForWrite(real, places), outside)
      }),
    run: async (args, { cwd, conversation, signal }) => {
      const { path, content } = args
      const asked = resolve(cwd, path)
      try {
        const real = await paths.confirm(args, asked)
        const before = await files.look(real)
        const obstacle = obstacleTo(asked, before, seen.stampOf(conversation, real))
        if (obstacle !== null) return refusal(obstacle)
        const bytes = Buffer.from(scrubSurrogates(content), 'utf8')
        const after = await files.replace(real, bytes, {
          mode: before?.mode ?? null,
          signal,
          unchanged: async () =>
            (await files.look(real))?.stamp === before?.stamp && (await files.real(asked)) === real,
        })
        seen.note(conversation, real, after.stamp)
        return written(real, bytes.length, content, before)
      } catch (error) {
        if (error instanceof Error && 'replaced' in error) {
          return { content: `${worldError(error, asked)} (after it was written)`, failed: true, effect: 'unknown' }
        }
        // Before the rename nothing of the old file was touched.
        return refusal(signal.aborted ? `${asked} was not written: the call was stopped.` : worldError(error, asked))
      }
    },
  })
}

function obstacleTo(path: string, before: FileFacts | null, seen: string | undefined): string | null {
  if (before === null) return null
  if (before.kind === 'folder') return `${path} is a folder; give the name of a file.`
  if (before.kind === 'other') return `${path} is a device, pipe or socket; only regular files are written.`
  if (seen !== undefined && seen !== before.stamp) {
    return `${path} changed since you read it, so it was not overwritten. Read it again, then write.`
  }
  return null
}

function written(path: string, bytes: number, content: string, before: FileFacts | null): ToolResult {
  const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
  const was = before === null ? `new file in ${dirname(path)}` : `replaced ${before.size} bytes`
  return { content: `Wrote ${path}: ${bytes} bytes, ${lines} lines (${was}).`, files: [path] }
}

const refusal = (content: string): ToolResult => ({ content, failed: true, effect: 'not_executed' })
