// The inputs of a template, from which a workflow is created.
import type { WorkflowTemplate } from '../api/workflows.ts'

export type TemplateInput = WorkflowTemplate['inputs'][number]
export type Answers = Readonly<Record<string, string>>

/** Initial values of the form. */
export const answersOf = ({ inputs }: Pick<WorkflowTemplate, 'inputs'>): Answers =>
  Object.fromEntries(inputs.map(({ key, default: given }) => [key, String(given ?? '')]))

/** Omits empty inputs: their placeholders stay, and the check of the workflow reports them. */
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

/** For display, with labels for empty inputs. */
export function readableFillings(
  inputs: readonly TemplateInput[],
  answers: Answers,
): Record<string, string | number> {
  const names = Object.fromEntries(inputs.map(({ key, label }) => [key, `‹${label}›`]))
  return { ...names, ...fillingsOf(inputs, answers) }
}
