// Saves the report and runs it.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Saving as Saves, useSaving as useSaves } from '../../../shared/editing/use-saving.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { createReport, type ReportDetail, refreshReport, runReport, updateReport } from '../api/reports.ts'
import { asksTheSame } from '../words/asks-the-same.ts'
import type { Draft } from './builder-state.ts'
import type { Drafting } from './use-draft.ts'

export interface Saving extends Saves<Draft> {
  /** Whether the user tried to save without a name. */
  isNameless: boolean
  /** Saves the draft as a new report. @returns whether it was saved */
  saveCopy(name: string): Promise<boolean>
}

interface SavingOptions {
  /** undefined for a new report. */
  report: ReportDetail | undefined
  drafting: Drafting
  onCreated(id: string): void
}

/** Saving does not wait for the run, and leaving the page does not end it. The run itself contains its error. */
async function runSaved(client: QueryClient, org: string, id: string): Promise<void> {
  try {
    await runReport(org, id)
  } catch (error) {
    toastError(error, 'The report is saved, but it was not run.')
  }
  await refreshReport(client, org, id)
}

export function useSaving({ report, drafting, onCreated }: SavingOptions): Saving {
  const org = useOrg()
  const client = useQueryClient()
  const [wasNameless, setNameless] = useState(false)
  const { draft, basedOn, markSaved } = drafting
  const isNamed = draft.name.trim() !== ''
  const create = async (name: string) => {
    const created = await createReport(org, { ...draft, name: name.trim() })
    void runSaved(client, org, created.id)
    return created
  }
  const put = async ({ id, definition: before }: ReportDetail, version: number | undefined) => {
    const definition = { ...draft, name: draft.name.trim() }
    const saved = await updateReport(org, id, { definition, ...(version && { basedOn: version }) })
    if (!asksTheSame(before, definition)) void runSaved(client, org, id)
    return saved
  }
  const { saving, attempt, finish } = useSaves({
    editing: drafting,
    create: () => create(draft.name),
    put: report && ((version) => put(report, version)),
    onCreated,
    refresh: (id) => refreshReport(client, org, id),
  })
  return {
    ...saving,
    isNameless: wasNameless && !isNamed,
    save: async (over) => {
      setNameless(!isNamed)
      return isNamed && saving.save(over)
    },
    saveCopy: (name) =>
      attempt(async () => {
        const { id } = await create(name)
        markSaved(draft, basedOn)
        await finish(id, true)
      }),
  }
}
