// Saving the report, and running what was saved. Who saved meanwhile is not overwritten unseen.
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
  /** What refused it last, other than a conflict. */
  error: unknown
  /** Another person saved this version since the one that was changed. */
  conflict: number | undefined
  /** It was to be saved without a name. */
  isNameless: boolean
  /** @param over the version of the other, to replace it @returns whether it is saved */
  save(over?: number): Promise<boolean>
  /** @returns whether it is saved, under that name as another report */
  saveCopy(name: string): Promise<boolean>
  /** What is built goes on from that version; what was before can be had by undoing. */
  adopt(report: ReportDetail): void
  forget(): void
}

interface SavingOptions {
  /** undefined: it is not there yet. */
  report: ReportDetail | undefined
  drafting: Drafting
  onCreated(id: string): void
}

/** Saving does not wait for it, and leaving the page does not end it. What goes wrong with a run is in the run. */
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
