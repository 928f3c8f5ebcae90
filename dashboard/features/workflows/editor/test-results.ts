// The results of a dry run by key of step. Keys are used because paths change during editing.

import type { RunStep } from '../api/workflow-runs.ts'
import type { DryRunResult, WorkflowDefinition } from '../api/workflows.ts'

export interface TestResult {
  /** The definition that was tested. */
  definition: WorkflowDefinition
  answer: DryRunResult
  lines: ReadonlyMap<string, readonly RunStep[]>
}

export function testResult(definition: WorkflowDefinition, answer: DryRunResult): TestResult {
  const lines = new Map<string, RunStep[]>()
  for (const step of answer.steps) lines.set(step.key, [...(lines.get(step.key) ?? []), step])
  return { definition, answer, lines }
}

/** For a step inside a loop, the line that failed, else the last line. */
export function tellingLine({ lines }: TestResult, key: string): RunStep | undefined {
  const own = lines.get(key)
  return own?.find(({ status }) => status === 'failed') ?? own?.at(-1)
}

/** How often a step ran, such as in a loop. */
export const timesOf = ({ lines }: TestResult, key: string): number => lines.get(key)?.length ?? 0

/** The outputs that later steps can read. */
export const outputsOf = ({ lines }: TestResult): Record<string, unknown> =>
  Object.fromEntries([...lines].map(([key, own]) => [key, own.at(-1)?.output]))
