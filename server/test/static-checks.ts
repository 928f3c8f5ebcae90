// The checks of types, of format and lint, and of unused code: each counts as one test.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { failure } from './failures.ts'
import { ROOT } from './parts.ts'
import { programOf } from './run-vitest.ts'
import type { Outcome } from './second-try.ts'

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

// Turns off garbage collection of the TypeScript compiler, a Go program: it takes 1.4 GB instead of 1.25, and a third
// less processor time.
const WITHOUT_COLLECTION = { GOGC: 'off' }

/** Checks run in parallel, so the output of each is printed in one piece. */
function check(title: string, command: string, args: readonly string[]): Promise<Outcome> {
  const started = performance.now()
  const options = { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX, env: { ...process.env, ...WITHOUT_COLLECTION } }
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${stdout}${stderr}${error ? 'FAILED' : 'passed'}  ${title} (${seconds} s)\n`)
      resolve(
        error
          ? { passed: 0, failures: [failure(title, [{ message: stdout || stderr }])] }
          : { passed: 1, failures: [] },
      )
    })
  })
}

/** Not the link in node_modules/.bin, which may lead to typescript6, for one generator of clients. */
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The default of four checkers checks shared types four times, and takes twice the processor time. */
const ONE_CHECKER = ['--noEmit', '--checkers', '1']

export const staticChecks = (): Promise<Outcome[]> =>
  Promise.all([
    check('types', TSC, ONE_CHECKER),
    check('types of the dashboard', TSC, [...ONE_CHECKER, '--project', 'dashboard']),
    check('format and lint', programOf('biome'), ['check', '.']),
    check('unused code', programOf('knip'), []),
  ])
