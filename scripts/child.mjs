/** Running other programs: quietly with their output kept, or in the foreground with signals passed on. */
import { spawn } from 'node:child_process'

/**
 * Runs to the end and keeps what was printed. Never rejects: a program that cannot be started ends with code 127.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, limitMs?: number, show?: boolean }} options `show` passes output on as
 *   well; after `limitMs` the program is killed
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>}
 */
export function run(command, args, { cwd, env = process.env, limitMs, show = false }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = passSignals(child)
    let output = ''
    let timedOut = false
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            child.kill('SIGKILL')
          }, limitMs)
    child.stdout.on('data', (/** @type {Buffer} */ data) => {
      output += data
      if (show) process.stdout.write(data)
    })
    child.stderr.on('data', (/** @type {Buffer} */ data) => {
      output += data
      if (show) process.stderr.write(data)
    })
    /** @param {number} code */
    const end = (code) => {
      clearTimeout(timer)
      ended()
      resolve({ code, output, timedOut })
    }
    child.on('error', (error) => {
      output += error.message
      end(127)
    })
    child.on('close', (code, signal) => end(code ?? (signal === 'SIGINT' ? 130 : 1)))
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
    const ended = passSignals(child)
    child.on('error', (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`)
      ended()
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      ended()
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

/**
 * While the child lives, we do not die before it. Ctrl+C in a terminal reaches the whole process group by itself, so it
 * is passed on only where there is no terminal; otherwise the child would hear it twice and take it for impatience.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} ends the passing on
 */
export function passSignals(child) {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  const onInterrupt = () => {
    if (!atTerminal) child.kill('SIGINT')
  }
  const onTerminate = () => child.kill('SIGTERM')
  const onHangUp = () => child.kill('SIGHUP')
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerminate)
  process.on('SIGHUP', onHangUp)
  return () => {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onTerminate)
    process.off('SIGHUP', onHangUp)
  }
}

/** Progress for a person; standard output belongs to the answer. @param {string} line */
export const say = (line) => void process.stderr.write(`${line}\n`)
