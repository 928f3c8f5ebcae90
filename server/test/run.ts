// npm test: types, lint, unused code, then every test; ends with one line of counts.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

async function check(title: string, command: string, args: readonly string[]): Promise<Counts> {
  const started = performance.now()
  const ok = await run(command, args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${ok ? 'passed' : 'FAILED'}  ${title} (${seconds} s)\n`)
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
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

async function runTests(filters: readonly string[]): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-report-'))
  const file = join(folder, 'report.json')
  try {
    const ok = await run('vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...filters,
    ])
    const report = await readFile(file, 'utf8').catch(() => undefined)
    return report === undefined ? { passed: 0, failed: 1 } : countsOf(JSON.parse(report), ok)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const filters = process.argv.slice(2)
const results = [
  ...(filters.length > 0
    ? []
    : [
        await check('types', 'tsc', ['--noEmit']),
        await check('types of the dashboard', 'tsc', ['--noEmit', '--project', 'dashboard']),
        await check('format and lint', 'biome', ['check', '.']),
        await check('unused code', 'knip', []),
      ]),
  await runTests(filters),
]
const sum = (pick: (counts: Counts) => number) => results.reduce((total, counts) => total + pick(counts), 0)
const failed = sum((counts) => counts.failed)
process.stdout.write(`\n${sum((counts) => counts.passed)} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
