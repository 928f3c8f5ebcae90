// Sets the creators of records from before creators were stored, from the events that still exist. The records get no
// new version and no event. The job can stop at any point, and can run on several nodes.
import type { Logger } from 'pino'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import { lockBackfill, saveBackfill, selectBackfills, writeCreators } from './creators-store.ts'

const PAGE = 500

/** @returns whether all events were read */
const backfillPage = (ctx: { db: Db }, org: number): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const after = await lockBackfill(tx, org)
    if (!after) return true
    const { found, last } = await writeCreators(tx, org, { after, limit: PAGE })
    // Reads the page again until it has no such record: the next statement sees records that were locked this time.
    if (found === 0) await saveBackfill(tx, org, last)
    return last === undefined
  })

export async function backfillCreators(ctx: { db: Db; log: Logger }, signal: AbortSignal): Promise<void> {
  const failure = 'the creators of records could not be taken from events'
  await inTurns(await selectBackfills(ctx.db), { log: ctx.log, signal, failure }, async ({ org }, slice) => {
    while (!slice.aborted) if (await backfillPage(ctx, org)) return true
    return false
  })
}
