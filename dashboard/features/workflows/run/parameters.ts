// Converts the parameters of a workflow between form values and the input of a run.
import { isRecordTrigger } from '../../../../contract/workflow-states.ts'
import type { Workflow, WorkflowParameter } from '../api/workflows.ts'

/** A text, the texts of a list, or the state of a checkbox. */
export type Draft = string | string[] | boolean
export type Drafts = Readonly<Record<string, Draft>>

const asText = (value: unknown): string => (typeof value === 'string' ? value : String(value ?? ''))

function draftOf({ type, default: given }: WorkflowParameter): Draft {
  if (type === 'checkbox') return given === true
  if (type === 'list') return Array.isArray(given) ? given.map(asText) : []
  if (type === 'json') return given === undefined ? '' : JSON.stringify(given, null, 2)
  return asText(given)
}

/** Initial values of the form. */
export const draftsOf = (parameters: readonly WorkflowParameter[]): Drafts =>
  Object.fromEntries(parameters.map((parameter) => [parameter.name, draftOf(parameter)]))

/** Digits that a JavaScript number can always represent. Longer numbers stay text, which the service refuses. */
const SAFE_DIGITS = 15

const numberOf = (text: string): number | string =>
  Number.isNaN(Number(text)) || text.replace(/\D/g, '').length > SAFE_DIGITS ? text : Number(text)

/** @returns undefined if nothing was entered @throws SyntaxError for invalid JSON */
function givenValue({ type }: WorkflowParameter, draft: Draft | undefined): unknown {
  if (typeof draft === 'boolean') return draft
  if (Array.isArray(draft)) return draft.length > 0 ? draft : undefined
  const text = draft?.trim() ?? ''
  if (text === '') return undefined
  if (type === 'number') return numberOf(text)
  return type === 'json' ? JSON.parse(text) : text
}

export interface Given {
  data: Record<string, unknown>
  /** Errors by name of the parameter. */
  errors: Record<string, string>
}

/** The data to send, and the errors that can be found before the request. */
export function dataOf(parameters: readonly WorkflowParameter[], drafts: Drafts): Given {
  const given: Given = { data: {}, errors: {} }
  for (const parameter of parameters) {
    const { name, required } = parameter
    try {
      const value = givenValue(parameter, drafts[name])
      if (value !== undefined) given.data[name] = value
      else if (required) given.errors[name] = 'This is required'
    } catch {
      given.errors[name] = 'This is not JSON'
    }
  }
  return given
}

/** Whether a manual run needs a record. */
export const takesRecord = ({ trigger, object }: Pick<Workflow, 'trigger' | 'object'>): boolean =>
  object !== null && (trigger === 'manual' || isRecordTrigger(trigger))

/** The workflows that can be started from records of the object. @param slug of the object */
export const runnableOn = (workflows: readonly Workflow[], slug: string): Workflow[] =>
  workflows.filter(({ enabled, trigger, object }) => enabled && trigger === 'manual' && object?.slug === slug)
