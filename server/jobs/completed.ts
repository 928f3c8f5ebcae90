// Rows of jobs that are done: pg-boss would keep each for a week, and there are a dozen more every minute.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { inBatches } from './jobs.ts'

/** Long enough that no tick of a schedule is made twice; those that failed stay for rapport doctor. */
const KEPT_MINUTES = 10
const BATCH = 5000

export const forgetCompleted = ({ db }: { db: Db }, signal: AbortSignal): Promise<void> =>
  inBatches(signal, () =>
    db.run(sql`
      delete from pgboss.job where (name, id) in (
        select name, id from pgboss.job
        where state in ('completed', 'cancelled') and completed_on < now() - make_interval(mins => ${KEPT_MINUTES})
        limit ${BATCH})`),
  )
