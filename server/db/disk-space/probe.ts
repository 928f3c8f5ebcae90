// Checks whether PostgreSQL can write a temporary file.
import sql from 'sql-template-tag'
import type { Db } from '../pool.ts'
import { isDiskFull } from '../unavailable.ts'
import type { ProbeResult } from './disk-space.ts'

/** A sort that exceeds work_mem writes temporary files on the disk of the tables, and removes them. */
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
