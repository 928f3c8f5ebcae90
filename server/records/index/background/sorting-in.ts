// Sorts new trigrams into their indexes, before their lists are so long that searches feel it, or that whoever writes
// next has to do it and waits some tenths of a second.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { nextSize } from '../../../jobs/batch-size.ts'

/** Those made at once cost less each: a list of so many pages (4 MB) is as long as PostgreSQL would let it become. */
const PAGES = 512
const INTERVAL_MS = { min: 200, max: 1000 }

/** So long until the next time, when `pages` had come after `intervalMs`; at most twice or half of that. Pure. */
export const nextInterval = (intervalMs: number, pages: number): number =>
  nextSize(intervalMs, (intervalMs * PAGES) / Math.max(pages, 1), INTERVAL_MS)

/** @returns how many pages of new trigrams there were */
export async function sortIn(db: Db): Promise<number> {
  const { pages } = await db.one<{ pages: number }>(sql`
    select sum(gin_clean_pending_list(i))::int as pages
    from unnest(array['index_text_searched', 'index_search_value']::regclass[]) as i`)
  return pages
}

/** @returns a round: does it when it is time; never more to do at once */
export function createSortingIn(db: Db, now: () => number = () => performance.now()): () => Promise<false> {
  let intervalMs = INTERVAL_MS.max
  let dueMs = 0
  return async () => {
    if (now() < dueMs) return false
    intervalMs = nextInterval(intervalMs, await sortIn(db))
    dueMs = now() + intervalMs
    return false
  }
}
