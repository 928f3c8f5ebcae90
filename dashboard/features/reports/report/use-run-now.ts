// Running a report now: the answer comes when the run has ended.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { type ReportRun, refreshReport, runReport } from '../api/reports.ts'
import { useReportSearch } from '../report-search.ts'

export interface RunNow {
  isRunning: boolean
  /** Why it could not be run at all; what went wrong with a run is in the run. */
  error: unknown
  start(): void
}

/** Whether the page is still there: what was begun on it may end after it was left. */
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

/** Shows the run when it has ended. Leaving the page does not end it. */
export function useRunNow(reportId: string): RunNow {
  const org = useOrg()
  const client = useQueryClient()
  const [, change] = useReportSearch()
  const isHere = useIsHere()
  const show = async ({ id, status }: Pick<ReportRun, 'id' | 'status'>) => {
    await refreshReport(client, org, reportId)
    // What it is compared with stays.
    if (isHere()) change({ run: status === 'completed' ? undefined : id })
  }
  const { submit, isBusy, error } = useSubmit(async () => {
    // While its page is refreshed the report can be run again.
    void show(await runReport(org, reportId)).catch(toastError)
  })
  return { isRunning: isBusy, error, start: () => void (isBusy || submit(undefined)) }
}
