// The rows of a batch of an import in either format, and the results of rows that are not written.
import type { Problem } from '../../contract/errors.ts'
import type { SkippedRow } from '../../contract/imports.ts'
import type { JobResult } from '../../contract/job-results.ts'
import type { MatchChoice } from '../../contract/jobs.ts'
import type { FailedRow } from '../../contract/records.ts'
import type { Db } from '../db/pool.ts'
import type { JobsContext } from './context.ts'
import type { JobOfCaller } from './save-batch.ts'
import type { OpenJob } from './store.ts'

export interface ImportBatch {
  ctx: JobsContext
  tx: Db
  job: JobOfCaller
  /** Called for each refused row, with all its faults. */
  onFailed?: (item: Item, failed: FailedRow) => void
}

export interface Item {
  line: number
  row: Record<string, unknown>
  /** Known problems of the row. */
  problems?: Problem[]
}

/** The handling of rows that match a record by the duplicate rules; undefined if only matchOn is used. */
export const choiceOf = ({ settings }: OpenJob): MatchChoice | undefined =>
  settings.duplicateRules ? settings.duplicates : undefined

export const leftOut = ({ line, recordId }: SkippedRow): JobResult => ({
  line,
  id: recordId,
  status: 'skipped',
})

export const unreadable = ({ line, fault }: { line: number; fault: string }): JobResult => ({
  line,
  id: null,
  status: 'failed',
  error: fault,
  code: 'validation_error',
})
