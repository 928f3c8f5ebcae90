// Runs optional reads with a time limit.
import sql from 'sql-template-tag'
import { type Db, errorCode } from './pool.ts'

const QUERY_CANCELED = '57014'

/**
 * Runs statements within `ms`. @returns undefined if a statement took longer
 * @param work receives `renew`, which limits the next statement to the remaining time; call it before each later one
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
