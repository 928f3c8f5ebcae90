// Runs a test command, looks for files and processes that it left, and ends with the failures and one line of counts.
import { failureList } from './failures.ts'
import type { TestCommand } from './parts.ts'
import { parseTestArguments, type TestRun } from './run-arguments.ts'
import { runVitest } from './run-vitest.ts'
import type { Outcome } from './second-try.ts'
import { staticChecks, staticChecksInBackground } from './static-checks.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const INTERRUPTED = 130

/** Counts as one test: the run leaves no files or processes. */
async function leavesNothing(workspace: Workspace): Promise<Outcome> {
  const leftovers = await workspace.leftovers()
  return leftovers.length === 0
    ? { passed: 1, failures: [] }
    : { passed: 0, failures: [leftovers.join('\n')] }
}

async function runIn(
  workspace: Workspace,
  command: TestCommand,
  { isStatic, runs }: TestRun,
): Promise<boolean> {
  const checks = runs.length > 0 ? staticChecksInBackground : staticChecks
  const [checked, tested] = await Promise.all([
    isStatic ? checks() : [],
    runVitest(runs, { hasSecondTry: command.hasSecondTry, env: workspace.env }),
  ])
  const results = [...checked, ...tested]
  if (runs.length > 0) results.push(await leavesNothing(workspace))
  const failures = results.flatMap((result) => result.failures)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  process.stdout.write(`${failureList(failures)}\n${passed} passed, ${failures.length} failed\n`)
  return failures.length === 0
}

/** Ctrl-C also reaches Vitest; this ends the processes that Vitest leaves. */
async function run(command: TestCommand, asked: TestRun): Promise<number> {
  const workspace = await openWorkspace(command.space)
  const interrupt = () => void workspace.clear().finally(() => process.exit(INTERRUPTED))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return (await runIn(workspace, command, asked)) ? 0 : 1
  } finally {
    await workspace.clear()
  }
}

/** @returns the exit code */
export async function runTests(command: TestCommand, words: readonly string[]): Promise<number> {
  const asked = parseTestArguments(command, words)
  if ('run' in asked) return run(command, asked.run)
  if ('help' in asked) {
    process.stdout.write(asked.help)
    return 0
  }
  process.stderr.write(`${command.name}: ${asked.refusal}\n`)
  return 2
}
