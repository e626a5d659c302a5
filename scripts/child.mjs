/** Running other programs: quietly with their output kept, or in the foreground with signals passed on. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** The exit code of what a person has stopped, as shells say it. */
export const INTERRUPTED = 130
/** The same for a polite request from elsewhere. */
export const TERMINATED = 143
/** How soon after npm was told to end what it started ends too. */
const ORPHAN_CHECK_MS = 500
/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs to the end and keeps what was printed. Never rejects: a program that cannot be started ends with code 127.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, limitMs?: number }} options after `limitMs` the program is killed
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd, env = process.env, limitMs }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const stopPassing = passSignals(child)
    let output = ''
    const timer = limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limitMs)
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (/** @type {Buffer} */ data) => {
        output += data
      })
    /** @param {number} code */
    const end = (code) => {
      clearTimeout(timer)
      // Told to stop is told to stop, however the program takes it: nothing may be tried again after that.
      resolve({ code: stopPassing() ? INTERRUPTED : code, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(127)
    })
    child.on('close', (code, signal) => end(codeOf(code, signal)))
  })
}

/**
 * Runs with our own terminal, and answers with the exit code, 128 + n for a signal as shells say it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export function foreground(command, args, { cwd, env = process.env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
    const stopPassing = passSignals(child)
    child.on('error', (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`)
      stopPassing()
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      stopPassing()
      resolve(codeOf(code, signal))
    })
  })
}

/**
 * While the child lives, we do not die before it. Ctrl+C in a terminal reaches the whole process group by itself, so it
 * is passed on only where there is no terminal; otherwise the child would hear it twice and take it for impatience.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => boolean} ends the passing on; true when a signal came
 */
export function passSignals(child) {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  let came = false
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    came = true
    if (!(signal === 'SIGINT' && atTerminal)) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, pass)
  // npm gives a signal to the shell it started us with, and that shell dies without a word to us.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    pass('SIGTERM')
  }, ORPHAN_CHECK_MS)
  if (process.env['npm_lifecycle_event'] === undefined) clearInterval(watch)
  return () => {
    for (const signal of SIGNALS) process.off(signal, pass)
    clearInterval(watch)
    return came
  }
}

/**
 * An exit code as shells say it: 128 + n for the signal with the number n.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export const codeOf = (code, signal) => code ?? 128 + (signal === null ? 0 : constants.signals[signal])

/** Progress for a person; standard output belongs to the answer. @param {string} line */
export const say = (line) => void process.stderr.write(`${line}\n`)
