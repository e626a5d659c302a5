/**
 * The scripted provider as a process of its own: `node scripted-provider-main.ts <story.json>`. The file holds
 * `{ steps, options? }`, the steps as their builders give them (no gates). Prints its address and serves until killed.
 */
import { readFileSync } from 'node:fs'
import { type ScriptedOptions, type Step, startScriptedProvider } from './scripted-provider.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new TypeError('usage: scripted-provider-main <story.json>')
const story = JSON.parse(readFileSync(file, 'utf8')) as { steps: Step[]; options?: ScriptedOptions }
const provider = await startScriptedProvider(story.steps, story.options)
process.stdout.write(`${provider.url}\n`)
