// The checks of types, of format and lint, and of unused code: each counts as one test.
import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { failure } from './failures.ts'
import { ROOT } from './parts.ts'
import { programOf } from './run-vitest.ts'
import type { Outcome } from './second-try.ts'

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

// Turns off garbage collection of the TypeScript compiler, a Go program: it takes 1.4 GB instead of 1.25, and a third
// less processor time.
const WITHOUT_COLLECTION = { GOGC: 'off' }

interface Check {
  title: string
  command: string
  args: readonly string[]
}

function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has ended.
  }
}

/** The output is printed in one piece, because tests and other checks print theirs at the same time. */
function run({ title, command, args }: Check, isBackground: boolean): Promise<Outcome> {
  const started = performance.now()
  const options = { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX, env: { ...process.env, ...WITHOUT_COLLECTION } }
  return new Promise((resolve) => {
    const { pid } = execFile(command, args, options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${stdout}${stderr}${error ? 'FAILED' : 'passed'}  ${title} (${seconds} s)\n`)
      resolve(
        error
          ? { passed: 0, failures: [failure(title, [{ message: stdout || stderr }])] }
          : { passed: 1, failures: [] },
      )
    })
    if (isBackground) yieldToOthers(pid)
  })
}

/** Not the link in node_modules/.bin, which may lead to typescript6, for one generator of clients. */
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The default of four checkers checks shared types four times, and takes twice the processor time. */
const ONE_CHECKER = ['--noEmit', '--checkers', '1']

const CHECKS: readonly Check[] = [
  { title: 'types', command: TSC, args: ONE_CHECKER },
  { title: 'types of the dashboard', command: TSC, args: [...ONE_CHECKER, '--project', 'dashboard'] },
  { title: 'format and lint', command: programOf('biome'), args: ['check', '.'] },
  { title: 'unused code', command: programOf('knip'), args: [] },
]

export const staticChecks = (): Promise<Outcome[]> => Promise.all(CHECKS.map((check) => run(check, false)))

/**
 * During tests, which leave a part of the processors idle: one after the other, since each takes more than a gigabyte,
 * and with low priority.
 */
export async function staticChecksInBackground(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const check of CHECKS) outcomes.push(await run(check, true))
  return outcomes
}
