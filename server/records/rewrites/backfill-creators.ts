// Records from before their creators were kept get them from the events that are kept. No version and no event: nothing
// that clients have changes. A job: it may stop anywhere, and run on several nodes.
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
    // Looked at again: what was being changed meanwhile is seen by the next statement.
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
