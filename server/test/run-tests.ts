// Runs what one of the test commands is asked for, and ends with one line of counts.
import type { TestCommand } from './parts.ts'
import { parseTestArguments, type TestRun } from './run-arguments.ts'
import { runVitest } from './run-vitest.ts'
import type { Counts } from './second-try.ts'
import { staticChecks } from './static-checks.ts'

async function run({ isStatic, runs, hasSecondTry }: TestRun): Promise<boolean> {
  const results: Counts[] = isStatic ? await staticChecks() : []
  results.push(...(await runVitest(runs, { hasSecondTry })))
  const sum = (pick: (counts: Counts) => number) => results.reduce((total, counts) => total + pick(counts), 0)
  const failed = sum((counts) => counts.failed)
  process.stdout.write(`\n${sum((counts) => counts.passed)} passed, ${failed} failed\n`)
  return failed === 0
}

/** @returns the exit code */
export async function runTests(command: TestCommand, words: readonly string[]): Promise<number> {
  const asked = parseTestArguments(command, words)
  if ('run' in asked) return (await run(asked.run)) ? 0 : 1
  if ('help' in asked) {
    process.stdout.write(asked.help)
    return 0
  }
  process.stderr.write(`${command.name}: ${asked.refusal}\n`)
  return 2
}
