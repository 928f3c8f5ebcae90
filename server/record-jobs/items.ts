// The rows of a batch of an import, of either format, and what becomes of those that are not written.
import type { Problem } from '../../contract/errors.ts'
import type { SkippedRow } from '../../contract/imports.ts'
import type { JobResult, MatchChoice } from '../../contract/jobs.ts'
import type { FailedRow } from '../../contract/records.ts'
import type { Db } from '../db/pool.ts'
import type { JobsContext } from './context.ts'
import type { JobOfCaller } from './save-batch.ts'
import type { OpenJob } from './store.ts'

export interface ImportBatch {
  ctx: JobsContext
  tx: Db
  job: JobOfCaller
  /** Gets each row that is refused, with all of its faults. */
  onFailed?: (item: Item, failed: FailedRow) => void
}

export interface Item {
  line: number
  row: Record<string, unknown>
  /** What is known to be wrong with it. */
  problems?: Problem[]
}

/** What becomes of rows that are compared with all that was there before; undefined: only matchOn decides. */
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
