/** One turn from submit to exit code, with everything a person can do to it meanwhile: watch, answer, stop. */
import type { HermaEvent } from '../../shared/contract/index.ts'
import type { ConversationId } from '../../shared/ids.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit.ts'
import type { LocalCore } from '../local-core.ts'
import { type Output, onClosedPipe } from '../output.ts'
import { askInTerminal } from './ask-in-terminal.ts'
import { type FollowedTurn, type Following, followTurn } from './follow-turn.ts'
import { jsonView, textView } from './show-turn.ts'
import { openTerminalInput, type TerminalInput } from './terminal-input.ts'

export interface Turn {
  readonly conversation: ConversationId
  readonly text: string
  readonly quiet: boolean
  /** Where questions are asked; `open` = a terminal is there and free, null = nobody can be asked. */
  readonly terminal: TerminalInput | 'open' | null
}

/** The first Ctrl+C stops the turn and keeps what it said; a second one leaves at once. */
export async function oneTurn(core: LocalCore, out: Output, turn: Turn): Promise<ExitCode> {
  const view = out.json ? jsonView(out) : textView(out, turn.quiet)
  const questions = new OpenQuestions(core, out, turn.terminal)
  const stopping = new Stopping()
  try {
    const following = await followTurn(core.client, turn, (event) => {
      if (!stopping.unread) view.show(event)
      questions.hear(event)
    })
    stopping.applyTo(following)
    const ended = await following.ended
    if (stopping.unread) return EXIT.done
    view.finish()
    if (out.json) printResult(out, turn.conversation, ended)
    return exitCodeOf(ended.ending, stopping.asked)
  } finally {
    stopping.over()
    await core.host.idle(turn.conversation)
  }
}

/** The last line of `--json` (cli.md 2). A sentence about what went wrong goes to stderr as always. */
function printResult(out: Output, conversation: ConversationId, { turn, session, ending }: FollowedTurn): void {
  out.data({
    type: 'result',
    session_id: session,
    conversation_id: conversation,
    turn_id: turn,
    end_reason: ending.end_reason,
    status: ending.status,
    text: ending.text,
    usage: ending.usage,
    undelivered: ending.undelivered,
  })
  const problem = ending.error_surface
  if (problem !== null) out.note(`herma: ${problem.message}${problem.next === null ? '' : `\n${problem.next}`}`)
}

/** Asks one question at a time, and takes a question back when the core no longer waits for its answer. */
class OpenQuestions {
  readonly #core: LocalCore
  readonly #out: Output
  readonly #terminal: Turn['terminal']
  readonly #open = new Map<string, AbortController>()
  #asking: Promise<void> = Promise.resolve()

  constructor(core: LocalCore, out: Output, terminal: Turn['terminal']) {
    this.#core = core
    this.#out = out
    this.#terminal = terminal
  }

  hear(event: HermaEvent): void {
    if (event.type === 'request.cancel') this.#open.get(event.payload.id)?.abort()
    if (event.type !== 'approval.open' || this.#terminal === null) return
    const request = event.payload
    const withdrawn = new AbortController()
    this.#open.set(request.request_id, withdrawn)
    this.#asking = this.#asking.then(async () => {
      if (withdrawn.signal.aborted) return
      const terminal =
        this.#terminal === 'open' || this.#terminal === null
          ? openTerminalInput(process.stdin, process.stderr)
          : this.#terminal
      // Ctrl+C at the question is a no to it and a stop to the turn.
      if (terminal !== this.#terminal) terminal.onInterrupt(() => process.emit('SIGINT'))
      try {
        await askInTerminal(this.#core.client, request, terminal, this.#out, withdrawn.signal)
      } finally {
        if (terminal !== this.#terminal) terminal.close()
      }
    })
  }
}

/** Everything that can end a turn from outside, from before it exists until it is over. */
class Stopping {
  /** Somebody asked for a stop. */
  asked = false
  /** The reader of our output went away: there is nobody left to tell anything. */
  unread = false
  #following: Following | null = null
  readonly #signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  readonly #undo: () => void

  readonly #onSignal = (): void => {
    if (this.asked) process.exit(EXIT.interrupted)
    this.#stop()
  }

  constructor() {
    for (const signal of this.#signals) process.on(signal, this.#onSignal)
    this.#undo = onClosedPipe(() => {
      if (this.unread) return
      this.unread = true
      this.#stop()
    })
  }

  applyTo(following: Following): void {
    this.#following = following
    if (this.asked) following.stop()
  }

  over(): void {
    for (const signal of this.#signals) process.off(signal, this.#onSignal)
    this.#undo()
  }

  #stop(): void {
    this.asked = true
    this.#following?.stop()
  }
}
