// Asks PostgreSQL for some space, which it gives back.
import sql from 'sql-template-tag'
import type { Db } from '../pool.ts'
import { isDiskFull } from '../unavailable.ts'
import type { ProbeResult } from './disk-space.ts'

/** A sort that does not fit its memory writes files where the tables are, and leaves nothing behind. */
export const fillSome = (db: Pick<Db, 'snapshot'>): Promise<void> =>
  db.snapshot(async (tx) => {
    await tx.run(sql`select set_config('work_mem', '64kB', true)`)
    await tx.run(
      sql`select count(*) from (select n from generate_series(1, 10000) as n order by -n offset 0) as s`,
    )
  })

export async function probeSpace(db: Pick<Db, 'snapshot'>): Promise<ProbeResult> {
  try {
    await fillSome(db)
    return 'free'
  } catch (error) {
    return isDiskFull(error) ? 'full' : 'unknown'
  }
}
