// Runs Vitest, and counts.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FileResult, REPORT_FILE, type Report } from './report.ts'
import { type Counts, countsOf, type Run, withSecondTry } from './second-try.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const programOf = (name: string): string => join(ROOT, 'node_modules/.bin', name)

const REPORTERS = ['--reporter=default', `--reporter=${join(ROOT, 'server/test/report.ts')}`]

function spawnVitest(args: readonly string[], reportFile: string): Promise<boolean> {
  const env = { ...process.env, [REPORT_FILE]: reportFile }
  return new Promise((resolve) => {
    const child = spawn(programOf('vitest'), ['run', ...REPORTERS, ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env,
    })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

async function runOnce(args: readonly string[]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-report-'))
  const path = join(folder, 'report.json')
  try {
    const ok = await spawnVitest(args, path)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) return { files: [], others: 1 }
    const { files, errors } = JSON.parse(text) as Report
    const isExplained = ok || errors.length > 0 || files.some((file) => !file.ok)
    return { files, others: isExplained ? errors.length : 1 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runAgain({ project, path }: FileResult): Promise<Run> {
  process.stdout.write(`\nSecond try: ${relative(ROOT, path)}\n`)
  return runOnce([`--project=${project}`, path])
}

/** @param options hasSecondTry: each file that failed is run once more by itself, and its second result counts */
export async function runVitest(
  args: readonly string[],
  { hasSecondTry }: { hasSecondTry: boolean },
): Promise<Counts> {
  const first = await runOnce(args)
  if (!hasSecondTry) return countsOf(first)
  const { run, passedLater } = await withSecondTry(first, runAgain)
  for (const path of passedLater) process.stdout.write(`passed the second time: ${relative(ROOT, path)}\n`)
  return countsOf(run)
}
