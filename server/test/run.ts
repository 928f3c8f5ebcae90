// npm test: types, lint, unused code, then every test, or a part of that (run-arguments.ts); ends with one line of counts.
import { execFile } from 'node:child_process'
import { parseTestArguments, type TestRun } from './run-arguments.ts'
import { programOf, ROOT, runVitest } from './run-vitest.ts'
import type { Counts } from './second-try.ts'

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** Checks run in parallel: what one prints is shown in one piece. */
function check(title: string, command: string, args: readonly string[]): Promise<Counts> {
  const started = performance.now()
  const options = { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX }
  return new Promise((resolve) => {
    execFile(programOf(command), args, options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${stdout}${stderr}${error ? 'FAILED' : 'passed'}  ${title} (${seconds} s)\n`)
      resolve({ passed: error ? 0 : 1, failed: error ? 1 : 0 })
    })
  })
}

const staticChecks = (): Promise<Counts[]> =>
  Promise.all([
    check('types', 'tsc', ['--noEmit']),
    check('types of the dashboard', 'tsc', ['--noEmit', '--project', 'dashboard']),
    check('format and lint', 'biome', ['check', '.']),
    check('unused code', 'knip', []),
  ])

async function runAll({ isStatic, vitest, hasSecondTry }: TestRun): Promise<boolean> {
  const results = isStatic ? await staticChecks() : []
  for (const args of vitest) results.push(await runVitest(args, { hasSecondTry }))
  const sum = (pick: (counts: Counts) => number) => results.reduce((total, counts) => total + pick(counts), 0)
  const failed = sum((counts) => counts.failed)
  process.stdout.write(`\n${sum((counts) => counts.passed)} passed, ${failed} failed\n`)
  return failed === 0
}

const asked = parseTestArguments(process.argv.slice(2))
if ('help' in asked) process.stdout.write(asked.help)
else if ('refusal' in asked) {
  process.stderr.write(`npm test: ${asked.refusal}\n`)
  process.exitCode = 2
} else if (!(await runAll(asked.run))) process.exitCode = 1
