// Times and durations of runs.

import { dateFormat } from '../../../ui/dates.ts'
import { durationWords } from '../../workflows/run-words.ts'
import type { ReportRun } from '../api/reports.ts'

type Times = Pick<ReportRun, 'startedAt' | 'completedAt'>

/** Duration in milliseconds; undefined while the run is running. */
export const runTook = ({ startedAt, completedAt }: Times): number | undefined =>
  completedAt === null ? undefined : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt))

/** The duration in words; '' below one second. */
export const longTime = (ms: number | undefined): string =>
  ms === undefined || ms < 1000 ? '' : durationWords(ms)

/** The run that is shown first: the newest with results, else the newest. */
export const latestRun = (runs: readonly ReportRun[]): ReportRun | undefined =>
  runs.find(({ status }) => status === 'completed') ?? runs[0]

const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
export const exactTime = (timestamp: string): string => exact.format(new Date(timestamp))
