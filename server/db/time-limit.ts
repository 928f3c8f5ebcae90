// Reads that are not worth waiting for: they are given a time, and end with it.
import sql from 'sql-template-tag'
import { type Db, errorCode } from './pool.ts'

const QUERY_CANCELED = '57014'

/**
 * Runs statements of which none may take longer than `ms`. @returns undefined when one did
 * @param work gets a function that leaves the next statements what is left of the time, before more than one of them
 */
export async function withinMs<Result>(
  db: Db,
  ms: number,
  work: (tx: Db, renew: () => Promise<void>) => Promise<Result>,
): Promise<Result | undefined> {
  const end = performance.now() + ms
  try {
    return await db.transaction(async (tx) => {
      const renew = async () => {
        const left = Math.max(1, Math.ceil(end - performance.now()))
        await tx.run(sql`select set_config('statement_timeout', ${String(left)}, true)`)
      }
      await renew()
      return work(tx, renew)
    })
  } catch (error) {
    if (errorCode(error) === QUERY_CANCELED) return undefined
    throw error
  }
}
