// npm test: types, lint, unused code, then every test, or a part of that (run-arguments.ts); ends with one line of counts.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseTestArguments, type TestRun } from './run-arguments.ts'

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Counts {
  passed: number
  failed: number
}

function run(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(join(ROOT, 'node_modules/.bin', command), args, { cwd: ROOT, stdio: 'inherit' })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** Checks run beside each other: what one prints is shown in one piece. */
function check(title: string, command: string, args: readonly string[]): Promise<Counts> {
  const started = performance.now()
  const options = { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX }
  return new Promise((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin', command), args, options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${stdout}${stderr}${error ? 'FAILED' : 'passed'}  ${title} (${seconds} s)\n`)
      resolve({ passed: error ? 0 : 1, failed: error ? 1 : 0 })
    })
  })
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
}

/** A file that could not even be loaded has no failed test, yet it failed. */
const countsOf = ({ numPassedTests, numFailedTests, numFailedTestSuites }: Report, ok: boolean): Counts => ({
  passed: numPassedTests,
  failed: numFailedTests > 0 || ok ? numFailedTests : Math.max(1, numFailedTestSuites),
})

async function runVitest(args: readonly string[]): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-report-'))
  const file = join(folder, 'report.json')
  try {
    const ok = await run('vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ])
    const report = await readFile(file, 'utf8').catch(() => undefined)
    return report === undefined ? { passed: 0, failed: 1 } : countsOf(JSON.parse(report), ok)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const staticChecks = (): Promise<Counts[]> =>
  Promise.all([
    check('types', 'tsc', ['--noEmit']),
    check('types of the dashboard', 'tsc', ['--noEmit', '--project', 'dashboard']),
    check('format and lint', 'biome', ['check', '.']),
    check('unused code', 'knip', []),
  ])

async function runAll({ isStatic, vitest }: TestRun): Promise<boolean> {
  const results = isStatic ? await staticChecks() : []
  for (const args of vitest) results.push(await runVitest(args))
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
