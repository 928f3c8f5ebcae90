// npm run verify: what takes long, needs several processes, or depends on the machine. A file that fails runs once more
// by itself at the end, when the machine is quiet.
import { VERIFY } from './parts.ts'
import { runTests } from './run-tests.ts'

process.exitCode = await runTests(VERIFY, process.argv.slice(2))
