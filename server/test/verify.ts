// npm run verify: tests that take long, need several processes, or depend on the machine. A failed file runs again at
// the end, without others, when the machine is not busy.
import { VERIFY } from './parts.ts'
import { runTests } from './run-tests.ts'

process.exitCode = await runTests(VERIFY, process.argv.slice(2))
