// What a dry run found, by the keys of steps: paths move while one edits.

import type { RunStep } from '../api/workflow-runs.ts'
import type { DryRunResult, WorkflowDefinition } from '../api/workflows.ts'

export interface TestResult {
  /** What was run. */
  definition: WorkflowDefinition
  answer: DryRunResult
  lines: ReadonlyMap<string, readonly RunStep[]>
}

export function testResult(definition: WorkflowDefinition, answer: DryRunResult): TestResult {
  const lines = new Map<string, RunStep[]>()
  for (const step of answer.steps) lines.set(step.key, [...(lines.get(step.key) ?? []), step])
  return { definition, answer, lines }
}

/** Of a step inside a loop, the time it failed, else the last. */
export function tellingLine({ lines }: TestResult, key: string): RunStep | undefined {
  const own = lines.get(key)
  return own?.find(({ status }) => status === 'failed') ?? own?.at(-1)
}

/** How often a step was taken, where that is more than once. */
export const timesOf = ({ lines }: TestResult, key: string): number => lines.get(key)?.length ?? 0

/** What later steps can read. */
export const outputsOf = ({ lines }: TestResult): Record<string, unknown> =>
  Object.fromEntries([...lines].map(([key, own]) => [key, own.at(-1)?.output]))
