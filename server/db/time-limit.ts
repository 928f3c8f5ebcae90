// Reads that are not worth waiting for: they are given a time, and end with it.
import sql from 'sql-template-tag'
import { type Db, errorCode } from './pool.ts'

const QUERY_CANCELED = '57014'

/** Runs statements of which none may take longer than `ms`. @returns undefined when one did */
export async function withinMs<Result>(
  db: Db,
  ms: number,
  work: (tx: Db) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await db.transaction(async (tx) => {
      await tx.run(sql`select set_config('statement_timeout', ${String(Math.ceil(ms))}, true)`)
      return work(tx)
    })
  } catch (error) {
    if (errorCode(error) === QUERY_CANCELED) return undefined
    throw error
  }
}
