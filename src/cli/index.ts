/** The `herma` command. Runs one verb and leaves with its exit code. */
import { quietOnClosedPipe } from './output.ts'
import { run } from './program.ts'

quietOnClosedPipe()
// A set exit code lets buffered output drain; `process.exit` would cut a pipe short.
process.exitCode = await run(process.argv.slice(2))
