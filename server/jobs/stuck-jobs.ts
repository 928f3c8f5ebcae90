// Jobs that failed, and kinds of jobs that nothing works on.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

export interface StuckJobs {
  /** Within the last day. */
  failed: number
  /** Kinds of jobs of which some wait for ten minutes while none is running. */
  waiting: string[]
}

/** pg-boss makes its tables when a worker first starts. */
export async function selectStuckJobs(db: Db): Promise<StuckJobs> {
  const { present } = await db.one<{ present: boolean }>(
    sql`select to_regclass('pgboss.job') is not null as present`,
  )
  if (!present) return { failed: 0, waiting: [] }
  return db.one<StuckJobs>(sql`
    select
      (select count(*) from pgboss.job where state = 'failed' and completed_on > now() - interval '1 day') as failed,
      (select coalesce(array_agg(distinct w.name), '{}') from pgboss.job w
       where w.state in ('created', 'retry') and w.start_after < now() - interval '10 minutes'
         and not exists (select from pgboss.job a where a.name = w.name and a.state = 'active')) as waiting`)
}
