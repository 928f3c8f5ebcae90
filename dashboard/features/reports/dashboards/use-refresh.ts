// Runs the reports of a dashboard one after the other, because an organization can run only one at a time.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { reportDashboardQuery, type TileReport } from '../api/report-dashboards.ts'
import { refreshReport, runReport } from '../api/reports.ts'

export interface Progress {
  /** Number of the running report, from 1. */
  at: number
  of: number
  reportId: string
}

export interface Refreshing {
  progress: Progress | undefined
  run(reports: readonly TileReport[]): void
  /** Stops after the running report. */
  stop(): void
}

export function useRefresh(dashboardId: string): Refreshing {
  const org = useOrg()
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])

  const runOne = async ({ id }: TileReport) => {
    try {
      await runReport(org, id)
    } catch (error) {
      toastError(error)
    }
    await refreshReport(client, org, id)
    await client.invalidateQueries({ queryKey: reportDashboardQuery(org, dashboardId).queryKey })
  }
  const runAll = async (reports: readonly TileReport[]) => {
    isStopped.current = false
    for (const [index, report] of reports.entries()) {
      if (isStopped.current) break
      setProgress({ at: index + 1, of: reports.length, reportId: report.id })
      await runOne(report)
    }
    setProgress(undefined)
  }
  return {
    progress,
    run: (reports) => void (progress === undefined && runAll(reports)),
    stop: () => {
      isStopped.current = true
    },
  }
}
