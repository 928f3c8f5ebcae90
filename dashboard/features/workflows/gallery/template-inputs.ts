// What a template wants to know before it is a workflow.
import type { WorkflowTemplate } from '../api/workflows.ts'

export type TemplateInput = WorkflowTemplate['inputs'][number]
export type Answers = Readonly<Record<string, string>>

/** What the form begins with. */
export const answersOf = ({ inputs }: Pick<WorkflowTemplate, 'inputs'>): Answers =>
  Object.fromEntries(inputs.map(({ key, default: given }) => [key, String(given ?? '')]))

/** Without those that were left empty: their holes stay, and checking the workflow names them. */
export function fillingsOf(
  inputs: readonly TemplateInput[],
  answers: Answers,
): Record<string, string | number> {
  const filled = inputs.flatMap(({ key, kind }): [string, string | number][] => {
    const text = (answers[key] ?? '').trim()
    if (text === '') return []
    return [[key, kind === 'number' && !Number.isNaN(Number(text)) ? Number(text) : text]]
  })
  return Object.fromEntries(filled)
}

/** For display: with placeholders for those that were left empty. */
export function readableFillings(
  inputs: readonly TemplateInput[],
  answers: Answers,
): Record<string, string | number> {
  const names = Object.fromEntries(inputs.map(({ key, label }) => [key, `‹${label}›`]))
  return { ...names, ...fillingsOf(inputs, answers) }
}
