// When runs were, and how long they took.

import { dateFormat } from '../../../ui/dates.ts'
import { durationWords } from '../../workflows/run-words.ts'
import type { ReportRun } from '../api/reports.ts'

type Times = Pick<ReportRun, 'startedAt' | 'completedAt'>

/** In milliseconds; undefined while it is running. */
export const runTook = ({ startedAt, completedAt }: Times): number | undefined =>
  completedAt === null ? undefined : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt))

/** As people wait; '' below a second. */
export const longTime = (ms: number | undefined): string =>
  ms === undefined || ms < 1000 ? '' : durationWords(ms)

/** The one whose results are shown first: the newest that has any, or else the newest. */
export const latestRun = (runs: readonly ReportRun[]): ReportRun | undefined =>
  runs.find(({ status }) => status === 'completed') ?? runs[0]

const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
export const exactTime = (moment: string): string => exact.format(new Date(moment))
