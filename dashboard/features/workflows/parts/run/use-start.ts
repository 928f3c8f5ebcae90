// Starting a run by hand: what it is given, and where one then sees it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { type RunStarted, runWorkflow } from '../../api/workflow-runs.ts'
import { type WorkflowParameter, workflowsKey } from '../../api/workflows.ts'
import { type Draft, dataOf, draftsOf } from './parameters.ts'

interface StartOptions {
  workflowId: string
  parameters: readonly WorkflowParameter[]
  onStarted(started: RunStarted): void
}

/** @param place what a draft belongs to; undefined: none is kept */
export function useDrafts(place: string | undefined, parameters: readonly WorkflowParameter[]) {
  const isDeclared = (name: string) => parameters.some((one) => one.name === name)
  const draft = useDraft(`run ${place}`, () => draftsOf(parameters), {
    isBlank: () => place === undefined,
    accept: (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => place !== undefined && isDeclared(name))),
  })
  const drafts = draft.value
  const [own, setOwn] = useState<Record<string, string>>({})
  const change = (name: string, value: Draft) => {
    draft.change({ [name]: value })
    setOwn(({ [name]: _, ...others }) => others)
  }
  /** undefined: something is wrong, which is said at its field. */
  const read = (): Record<string, unknown> | undefined => {
    const { data, errors } = dataOf(parameters, drafts)
    setOwn(errors)
    return Object.keys(errors).length > 0 ? undefined : data
  }
  return { draft, drafts, change, errors: own, read }
}

export function useStart({ workflowId, parameters, onStarted }: StartOptions) {
  const org = useOrg()
  const client = useQueryClient()
  const { draft, drafts, change, errors, read } = useDrafts(workflowId, parameters)
  const { submit, isBusy, error } = useSubmit(async (recordId: string | null) => {
    const data = read()
    if (!data) return
    const started = await runWorkflow(org, workflowId, { data, ...(recordId !== null && { recordId }) })
    draft.forget()
    await client.invalidateQueries({ queryKey: workflowsKey(org) })
    onStarted(started)
  })
  return {
    draft,
    drafts,
    change,
    isBusy,
    error,
    errors: { ...fieldErrors(error, 'data.'), ...errors },
    start: (recordId: string | null) => void submit(recordId),
  }
}
