// Runs what one of the test commands is asked for, looks for what it left behind, and ends with one line of counts.
import type { TestCommand } from './parts.ts'
import { parseTestArguments, type TestRun } from './run-arguments.ts'
import { runVitest } from './run-vitest.ts'
import type { Counts } from './second-try.ts'
import { staticChecks } from './static-checks.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const INTERRUPTED = 130

/** As one test: the run leaves neither files nor processes. */
async function leavesNothing(workspace: Workspace): Promise<Counts> {
  const leftovers = await workspace.leftovers()
  for (const leftover of leftovers) process.stdout.write(`${leftover}\n`)
  return leftovers.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function runIn(
  workspace: Workspace,
  command: TestCommand,
  { isStatic, runs }: TestRun,
): Promise<boolean> {
  const results: Counts[] = isStatic ? await staticChecks() : []
  results.push(...(await runVitest(runs, { hasSecondTry: command.hasSecondTry, env: workspace.env })))
  if (runs.length > 0) results.push(await leavesNothing(workspace))
  const sum = (pick: (counts: Counts) => number) => results.reduce((total, counts) => total + pick(counts), 0)
  const failed = sum((counts) => counts.failed)
  process.stdout.write(`\n${sum((counts) => counts.passed)} passed, ${failed} failed\n`)
  return failed === 0
}

/** Ctrl-C reaches Vitest too; what that leaves is ended here. */
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
