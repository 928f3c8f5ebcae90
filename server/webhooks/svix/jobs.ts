// What the worker does about messages for Svix besides sending them.
import type { Logger } from 'pino'
import type { Db } from '../../db/pool.ts'
import { inBatches } from '../../jobs/jobs.ts'
import { wakeForgotten } from '../../jobs/leased-table.ts'
import type { WebhookContext } from '../context.ts'
import { APPLICATIONS, deleteStopped } from './store.ts'

const BATCH = 5000

export async function sweepSvix({ db, log }: { db: Db; log: Logger }): Promise<void> {
  const woken = await wakeForgotten(db, APPLICATIONS)
  if (woken > 0)
    log.error({ applications: woken }, 'messages for Svix were overdue: their applications were woken')
}

/** What Svix never took is kept as long as its event is. */
export const forgetStopped = (
  { db, config }: WebhookContext,
  signal: AbortSignal,
  now: Date,
): Promise<void> => inBatches(signal, () => deleteStopped(db, { now, days: config.eventDays, limit: BATCH }))
