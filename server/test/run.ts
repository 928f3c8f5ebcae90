// npm test: static checks, then every deterministic test.
import { TEST } from './parts.ts'
import { runTests } from './run-tests.ts'

process.exitCode = await runTests(TEST, process.argv.slice(2))
