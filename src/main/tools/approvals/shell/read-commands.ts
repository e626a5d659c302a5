/**
 * From a command line to the simple commands it would run, wherever they stand: lists, pipes, subshells, functions,
 * substitutions, here-documents, and the ones that other commands run for it (`sudo`, `xargs`, `sh -c`, `eval`, …).
 * The parser knows bash's grammar; this file knows which folder each command would run in. Nothing is executed.
 */
import { resolve } from 'node:path'
import { type AssignmentPrefix, type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash'
import { unwrap } from './unwrap.ts'
import { evaluate, programName, RUNTIME, type Variables, type Word } from './words.ts'

export interface ShellCommand {
  /** Program name, lower case; empty when it is decided while running. */
  readonly name: string
  readonly words: readonly Word[]
  readonly redirects: readonly { readonly operator: string; readonly target: Word | null }[]
  /** Names that are assigned for this command alone or, without a command, for the rest. */
  readonly assigns: readonly string[]
  /** Folder it runs in; null when that is decided while running. */
  readonly cwd: string | null
  /** What is piped into it; null = nothing. */
  readonly input: readonly ShellCommand[] | null
  /** Here-document or here-string. */
  readonly document: string | null
  /** Commands that run this one for the line, outermost first: `sudo`, `xargs`, … */
  readonly via: readonly string[]
}

export type CommandLine =
  | { readonly kind: 'read'; readonly commands: readonly ShellCommand[]; readonly forkBomb: boolean }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Longer lines are not read by anyone who is asked about them either. */
export const LINE_LIMIT = 20_000
const COMMAND_LIMIT = 1_000
const DEPTH_LIMIT = 8

/** A line that cannot be read to its end; what it would do is unknown. */
export class Unreadable extends Error {}

/**
 * @param cwd real path the line starts in
 * @param variables what is known of the environment: HOME, PWD, TMPDIR
 */
export function readCommands(line: string, cwd: string, variables: Variables): CommandLine {
  if (line.length > LINE_LIMIT) return { kind: 'unreadable', reason: `it is longer than ${LINE_LIMIT} characters` }
  const reader = new Reader(new Map(variables))
  try {
    reader.read(line, { cwd, input: null, via: [], depth: 0 })
    return { kind: 'read', commands: reader.commands, forkBomb: reader.forkBomb }
  } catch (error) {
    // The parser's own limits (nesting) and a stack that is used up count as unreadable too: the answer is to ask.
    const reason = error instanceof Unreadable ? error.message : 'it could not be parsed'
    return { kind: 'unreadable', reason }
  }
}

export interface Place {
  readonly cwd: string | null
  readonly input: readonly ShellCommand[] | null
  readonly via: readonly string[]
  readonly depth: number
}

export class Reader {
  readonly commands: ShellCommand[] = []
  forkBomb = false
  readonly variables: Map<string, string>
  /** Folder after the command that was read last. */
  #cwd: string | null = null
  readonly #functions: string[] = []

  constructor(variables: Map<string, string>) {
    this.variables = variables
  }

  /** Reads a whole script text in one place. */
  read(text: string, place: Place): void {
    if (place.depth > DEPTH_LIMIT) throw new Unreadable('its commands are nested too deeply')
    const script = parse(text)
    this.#cwd = place.cwd
    this.#visit(script, place)
  }

  /** Reads text that another command runs: its `cd` does not reach the line around it. */
  readApart(text: string, place: Place): void {
    this.#apart(() => this.read(text, place))
  }

  add(command: ShellCommand, depth: number): void {
    if (this.commands.length >= COMMAND_LIMIT) throw new Unreadable('it has too many commands')
    this.commands.push(command)
    unwrap(command, this, depth)
  }

  /** In one order with the text, so that `cd` holds for what follows it. */
  #visit(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case 'Command':
        this.#command(node, place)
        break
      case 'Pipeline':
        this.#pipeline(node, place)
        break
      case 'Statement': {
        const from = this.commands.length
        this.#children(node, place)
        // A function that puts itself in the background: each call returns at once and leaves another one.
        if (node.background === true && this.#callsItself(from)) this.forkBomb = true
        break
      }
      case 'Subshell':
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        this.#apart(() => this.#children(node, { ...place, input: null }))
        break
      case 'If':
      case 'While':
      case 'For':
      case 'ArithmeticFor':
      case 'Select':
      case 'Case':
      case 'Function':
        this.#maybe(node, place)
        break
      case 'Redirected':
        this.#children(node, place)
        this.add(this.#bare(node.redirects, place), place.depth)
        break
      case 'Script':
        refuseBroken('errors' in node ? node.errors : undefined)
        this.#children(node, place)
        break
      default:
        this.#children(node, place)
    }
  }

  #children(node: SyntaxNode, place: Place): void {
    forEachChild(node, (child) => this.#visit(child, place))
  }

  /** A subshell has a folder of its own. */
  #apart(visit: () => void): void {
    const before = this.#cwd
    visit()
    this.#cwd = before
  }

  /** What may or may not run: after it, a `cd` inside leaves the folder open. */
  #maybe(node: SyntaxNode, place: Place): void {
    const before = this.#cwd
    if (node.type === 'For' || node.type === 'Select') this.variables.delete(evaluate(node.name, this.variables).text)
    const name = node.type === 'Function' ? evaluate(node.name, this.variables).text.toLowerCase() : null
    if (name !== null) this.#functions.push(name)
    this.#children(node, place)
    if (name !== null) this.#functions.pop()
    if (this.#cwd !== before) this.#cwd = null
  }

  #pipeline(node: SyntaxNode & { type: 'Pipeline' }, place: Place): void {
    let input = place.input
    let selfCalls = 0
    for (const command of node.commands) {
      const from = this.commands.length
      if (node.commands.length > 1) this.#apart(() => this.#visit(command, { ...place, input }))
      else this.#visit(command, { ...place, input })
      if (this.#callsItself(from)) selfCalls++
      input = this.commands.slice(from)
    }
    // A function that pipes itself into itself: each call makes two more.
    if (selfCalls > 1) this.forkBomb = true
  }

  /** Whether a command from index `from` on is a function that is being defined around it. */
  #callsItself(from: number): boolean {
    return this.commands.slice(from).some((one) => this.#functions.includes(one.name))
  }

  #command(node: Command, place: Place): void {
    // Substitutions inside the words and redirections run first.
    forEachChild(node, (child) => this.#visit(child, { ...place, input: null }))
    const name = node.name === undefined ? null : evaluate(node.name, this.variables)
    const words = node.args.map((argument) =>
      argument.type === 'Word'
        ? evaluate(argument, this.variables)
        : assignedWord(argument.name, argument.value, this.variables),
    )
    const assignments = [...node.prefix, ...node.suffix].filter((item) => item.type === 'Assignment')
    const command: ShellCommand = {
      ...this.#bare(node.redirects, place),
      name: name === null ? '' : name.known && !name.pattern ? programName(name) : RUNTIME,
      words,
      assigns: assignments.map((assignment) => assignment.name),
    }
    if (name === null || ['export', 'declare', 'local', 'readonly', 'typeset'].includes(command.name)) {
      for (const assignment of assignments) this.#assign(assignment)
    }
    this.add(command, place.depth)
    if (command.name === 'cd' || command.name === 'pushd') this.#cwd = this.#changedTo(words)
    if (command.name === 'popd') this.#cwd = null
  }

  #bare(redirects: readonly Redirection[], place: Place): ShellCommand {
    let document: string | null = null
    const plain: { operator: string; target: Word | null }[] = []
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') document = redirect.body.text
      else {
        const target = redirect.target === undefined ? null : evaluate(redirect.target, this.variables)
        if (redirect.type === 'HereString') document = target?.text ?? ''
        else plain.push({ operator: redirect.operator, target })
      }
    }
    return {
      name: '',
      words: [],
      redirects: plain,
      assigns: [],
      cwd: this.#cwd,
      input: place.input,
      document,
      via: place.via,
    }
  }

  #assign(assignment: AssignmentPrefix): void {
    const value = assignment.value.type === 'Word' ? evaluate(assignment.value, this.variables) : null
    const known = value?.known === true && assignment.index === undefined && assignment.append !== true
    if (known) this.variables.set(assignment.name, value.text)
    else this.variables.delete(assignment.name)
  }

  #changedTo(words: readonly Word[]): string | null {
    const target = words.find((word) => !/^-[LPe@]+$/.test(word.text) && word.text !== '--')
    if (target === undefined) return this.variables.get('HOME') ?? null
    if (!target.known || target.text === '-' || this.#cwd === null) {
      return target.known && target.text.startsWith('/') ? resolve(target.text) : null
    }
    return resolve(this.#cwd, target.text)
  }
}

/** The parser goes on after an error; what it makes of the rest is a guess, and a guess must not decide. */
function refuseBroken(errors: readonly { readonly message: string }[] | undefined): void {
  const problem = errors?.[0]
  if (problem !== undefined) throw new Unreadable(`the shell would not read it: ${problem.message}`)
}

function assignedWord(name: string, value: AssignmentPrefix['value'], variables: Variables): Word {
  const evaluated =
    value.type === 'Word'
      ? evaluate(value, variables)
      : { text: RUNTIME, known: false, pattern: false, substitution: false }
  return { ...evaluated, text: `${name}=${evaluated.text}` }
}
