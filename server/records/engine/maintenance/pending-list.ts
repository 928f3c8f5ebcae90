// Flushes the pending lists of trigram indexes before they get long. A long list slows searches down, or makes the next
// writer flush it and wait some tenths of a second.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { nextSize } from '../../../jobs/batch-size.ts'

/** More pages per flush cost less per page. PostgreSQL itself would flush a list of this many (4 MB). */
const PAGES = 512
const INTERVAL_MS = { min: 200, max: 1000 }

/** Time until the next flush, after an interval with `pages` new pages: between half and twice that interval. Pure. */
export const nextInterval = (intervalMs: number, pages: number): number =>
  nextSize(intervalMs, (intervalMs * PAGES) / Math.max(pages, 1), INTERVAL_MS)

/** @returns the number of flushed pages */
export async function flushPendingLists(db: Db): Promise<number> {
  const { pages } = await db.one<{ pages: number }>(sql`
    select sum(gin_clean_pending_list(i))::int as pages
    from unnest(array['index_text_searched', 'index_search_value', 'index_text_folded', 'index_search_folded']::regclass[]) as i`)
  return pages
}

/**
 * @returns a function that runs a round: it flushes when the interval is over, and never requests another round
 * immediately
 */
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
