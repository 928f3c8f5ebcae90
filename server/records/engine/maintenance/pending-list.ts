// Flushes the pending lists of trigram indexes, before they are long enough to slow searches down, or to make the next
// writer flush them and wait some tenths of a second.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { nextSize } from '../../../jobs/batch-size.ts'

/** Pages flushed together cost less each: PostgreSQL itself would flush a list of this many (4 MB). */
const PAGES = 512
const INTERVAL_MS = { min: 200, max: 1000 }

/** Time until the next flush, when the last interval brought `pages`; at most twice or half of that interval. Pure. */
export const nextInterval = (intervalMs: number, pages: number): number =>
  nextSize(intervalMs, (intervalMs * PAGES) / Math.max(pages, 1), INTERVAL_MS)

/** @returns how many pages of new trigrams there were */
export async function flushPendingLists(db: Db): Promise<number> {
  const { pages } = await db.one<{ pages: number }>(sql`
    select sum(gin_clean_pending_list(i))::int as pages
    from unnest(array['index_text_searched', 'index_search_value', 'index_text_folded', 'index_search_folded']::regclass[]) as i`)
  return pages
}

/** @returns a round: flushes when it is time; never asks for another round immediately */
export function createPendingListFlush(
  db: Db,
  now: () => number = () => performance.now(),
): () => Promise<false> {
  let intervalMs = INTERVAL_MS.max
  let dueMs = 0
  return async () => {
    if (now() < dueMs) return false
    intervalMs = nextInterval(intervalMs, await flushPendingLists(db))
    dueMs = now() + intervalMs
    return false
  }
}
