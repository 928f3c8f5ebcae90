// Runs Vitest and counts the results.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ROOT, type VitestRun } from './parts.ts'
import { REPORT_FILE, type Report } from './report.ts'
import { type Outcome, outcomeOf, type Run, withSecondTry } from './second-try.ts'
import { RANDOM, suiteSeeds, TEST_SEED } from './seed.ts'
import { randomTime, START_TIME } from './start-time.ts'

export const programOf = (name: string): string => join(ROOT, 'node_modules/.bin', name)

const REPORTERS = ['--reporter=default', `--reporter=${join(ROOT, 'server/test/report.ts')}`]

function spawnVitest({ args, env }: VitestRun, reportFile: string): Promise<boolean> {
  const options = {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env, [REPORT_FILE]: reportFile },
  } as const
  return new Promise((resolve) => {
    const child = spawn(programOf('vitest'), ['run', ...REPORTERS, ...args], options)
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

async function runOnce(run: VitestRun): Promise<Run> {
  const folder = await mkdtemp(join(run.env?.['TMPDIR'] ?? tmpdir(), 'rapport-report-'))
  const path = join(folder, 'report.json')
  try {
    const ok = await spawnVitest(run, path)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) return { files: [], others: ['Vitest ended without a report.'] }
    const { files, errors } = JSON.parse(text) as Report
    const isExplained = ok || errors.length > 0 || files.some(({ failures }) => failures.length > 0)
    return { files, others: isExplained ? errors : ['Vitest failed, and its report names no failure.'] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function again(asked: VitestRun, first: Run): Promise<Outcome> {
  const { run, passedLater } = await withSecondTry(first, ({ project, path }) => {
    process.stdout.write(`\nSecond try: ${relative(ROOT, path)}\n`)
    return runOnce({ ...asked, args: [`--project=${project}`, path] })
  })
  if (passedLater.length > 0) process.stdout.write('\npassed the second time:\n')
  for (const path of passedLater) process.stdout.write(`  ${relative(ROOT, path)}\n`)
  return outcomeOf(run)
}

/** Replaces random seeds and times by values, so that a second try has the same ones. */
export const drawn = ({ args, env = {} }: VitestRun): VitestRun => ({
  args,
  env: {
    ...suiteSeeds(process.env),
    ...env,
    ...(env[TEST_SEED] === RANDOM && { [TEST_SEED]: String(randomInt(1_000_000_000)) }),
    ...(env[START_TIME] === RANDOM && { [START_TIME]: randomTime() }),
  },
})

/**
 * Executes the runs in order.
 * @param options hasSecondTry: after all runs each failed file runs again, without others, and its second result counts
 */
export async function runVitest(
  asked: readonly VitestRun[],
  {
    hasSecondTry = false,
    env,
  }: { hasSecondTry?: boolean | undefined; env: Readonly<Record<string, string>> },
): Promise<Outcome[]> {
  const runs = asked.map(drawn).map((run) => ({ ...run, env: { ...run.env, ...env } }))
  const results: Run[] = []
  for (const run of runs) results.push(await runOnce(run))
  if (!hasSecondTry) return results.map(outcomeOf)
  const outcomes: Outcome[] = []
  for (const [index, run] of runs.entries()) {
    const first = results[index]
    if (first) outcomes.push(await again(run, first))
  }
  return outcomes
}
