// Runs a report now. The request resolves when the run has ended.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { type ReportRun, refreshReport, runReport } from '../api/reports.ts'
import { useReportSearch } from '../report-search.ts'

export interface RunNow {
  isRunning: boolean
  /** Why the run could not be started. The run itself contains its error. */
  error: unknown
  start(): void
}

/** Whether the page is still mounted: a run may end after the user has left the page. */
function useIsHere(): () => boolean {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return () => isHere.current
}

/** Shows the run when it has ended. Leaving the page does not end the run. */
export function useRunNow(reportId: string): RunNow {
  const org = useOrg()
  const client = useQueryClient()
  const [, change] = useReportSearch()
  const isHere = useIsHere()
  const show = async ({ id, status }: Pick<ReportRun, 'id' | 'status'>) => {
    await refreshReport(client, org, reportId)
    // The compared run stays in the address.
    if (isHere()) change({ run: status === 'completed' ? undefined : id })
  }
  const { submit, isBusy, error } = useSubmit(async () => {
    // Not awaited, so that the report can be run again while the page reloads.
    void show(await runReport(org, reportId)).catch(toastError)
  })
  return { isRunning: isBusy, error, start: () => void (isBusy || submit(undefined)) }
}
