// Saves the report and runs it. A version that another person saved in between is not overwritten without a question.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reportsQuery } from '../../../shared/api/report-list.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useVersionedAttempt } from '../../../shared/use-versioned-attempt.ts'
import { createReport, type ReportDetail, refreshReport, runReport, updateReport } from '../api/reports.ts'
import { asksTheSame } from '../words/asks-the-same.ts'
import type { Drafting } from './use-draft.ts'

export interface Saving {
  isBusy: boolean
  /** The latest error, except a conflict. */
  error: unknown
  /** The newer version that another person has saved; undefined: no conflict. */
  conflict: number | undefined
  /** Whether the user tried to save without a name. */
  isNameless: boolean
  /** @param over the other person's version, to overwrite it @returns whether the report was saved */
  save(over?: number): Promise<boolean>
  /** Saves the draft as a new report. @returns whether it was saved */
  saveCopy(name: string): Promise<boolean>
  /** Continues with that version. Undo returns to the previous draft. */
  adopt(report: ReportDetail): void
  forget(): void
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
  const { attempt, ...state } = useVersionedAttempt()
  const [wasNameless, setNameless] = useState(false)
  const { draft, basedOn, markSaved, act } = drafting
  const succeeds = async (act: () => Promise<void>) =>
    (await attempt(async () => {
      await act()
      return true
    })) ?? false
  const isNamed = draft.name.trim() !== ''
  const create = async (name: string) => {
    const { id } = await createReport(org, { ...draft, name: name.trim() })
    markSaved(draft, basedOn)
    void runSaved(client, org, id)
    await client.invalidateQueries({ queryKey: reportsQuery(org).queryKey })
    onCreated(id)
  }
  const put = async ({ id, definition: before }: ReportDetail, over: number | undefined) => {
    const version = over ?? basedOn
    const definition = { ...draft, name: draft.name.trim() }
    const saved = await updateReport(org, id, { definition, ...(version && { basedOn: version }) })
    markSaved(draft, saved.version)
    if (!asksTheSame(before, definition)) void runSaved(client, org, id)
    await refreshReport(client, org, id)
  }
  return {
    ...state,
    isNameless: wasNameless && !isNamed,
    save: async (over) => {
      setNameless(!isNamed)
      return isNamed && succeeds(() => (report ? put(report, over) : create(draft.name)))
    },
    saveCopy: (name) => succeeds(() => create(name)),
    adopt: ({ definition, version }) => {
      act({ does: 'replace', definition })
      markSaved(definition, version)
      state.forget()
    },
  }
}
