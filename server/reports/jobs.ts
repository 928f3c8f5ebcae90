// Background jobs for report runs.
import type { Logger } from 'pino'
import { REPORT_RUN_SECONDS, REPORT_WAIT_SECONDS } from '../../contract/report-states.ts'
import type { Db } from '../db/pool.ts'
import { failAbandonedRuns } from './store.ts'

/** Longer than any run takes, including its wait. */
const ABANDONED_SECONDS = 3 * (REPORT_RUN_SECONDS + REPORT_WAIT_SECONDS)

/** Runs whose node was killed end as failed. */
export async function sweepReportRuns({ db, log }: { db: Db; log: Logger }): Promise<void> {
  const count = await failAbandonedRuns(db, ABANDONED_SECONDS)
  if (count > 0) log.warn({ count }, 'report runs of a node that stopped were ended')
}
