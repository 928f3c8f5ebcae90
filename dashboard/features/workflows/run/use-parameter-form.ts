// The form for the parameters of a manual run.

import { fieldErrors } from '../../../shared/api/errors.ts'
import { type DataForm, useDataForm } from '../../../shared/form/use-data-form.ts'
import type { WorkflowParameter } from '../api/workflows.ts'
import { type Draft, type Drafts, dataOf, draftsOf } from './parameters.ts'

interface StartOptions {
  /** Key of the draft; undefined: no draft is stored. */
  place: string | undefined
  parameters: readonly WorkflowParameter[]
  start(data: Record<string, unknown>, form: { forget(): void; close(): void }): Promise<unknown>
  onClose(): void
}

/** The state of the form, for a run or a test. */
export function useParameterForm({ place, parameters, start, onClose }: StartOptions) {
  const isDeclared = ([name]: [string, unknown]) => parameters.some((one) => one.name === name)
  return useDataForm<Drafts>({
    draft: place && `run ${place}`,
    initial: () => draftsOf(parameters),
    accept: (fields) => Object.fromEntries(Object.entries(fields).filter(isDeclared)) as Partial<Drafts>,
    validate: (drafts) => dataOf(parameters, drafts).errors,
    problemsOf: (error) => fieldErrors(error, 'data.'),
    save: (drafts, form) => start(dataOf(parameters, drafts).data, form),
    onClose,
  })
}

/** The props of `ParameterFields`. */
export const parameterFields = (
  parameters: readonly WorkflowParameter[],
  { values, errors, change }: DataForm<Drafts>,
) => ({
  parameters,
  drafts: values,
  errors,
  onChange: (name: string, draft: Draft) => change({ [name]: draft }),
})
