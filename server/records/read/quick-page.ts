// Reads a first page within QUICK_SEARCH_SECONDS. If the time is not enough for all records, only the newest are
// searched, and the response says so.

import type { BaseContext } from '../../db/base-context.ts'
import { TimeLimitError } from '../../db/lease.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { selectPage } from '../engine/executor.ts'
import { byPageOrder, type KeyedRecord, selectSlice } from '../engine/newest-page.ts'
import type { Page, PageQuery } from '../engine/page-query.ts'
import { isIndexed } from '../engine/statistics.ts'
import { LongPage } from '../rows/page-lines.ts'

/** The share of the time for reading. The rest is for sending the response. */
const READING_SHARE = 0.85
/** The share of the reading time for the page; the rest is for the total, or for the newest records. */
const PAGE_SHARE = 0.6
/** Records of a slice. Reading a slice takes tens of milliseconds, so that little time is lost at the end. */
const SLICE = 2000

interface QuickPage extends Page {
  /** Whether all records were searched. */
  isComplete: boolean
  /** How many of the newest records were searched, if not all were. */
  searched?: number
}

/** @returns undefined when the work takes longer */
async function within<Result>(
  db: Db,
  ms: number,
  work: (db: Db) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await db.within(Math.max(1, ms), work)
  } catch (error) {
    // If the database does not respond, less work does not help.
    if (error instanceof TimeLimitError && !error.isStalled) return undefined
    throw error
  }
}

type Left = () => number

async function readTotal(
  db: Db,
  model: ObjectModel,
  { query, page, left }: { query: PageQuery; page: Page; left: Left },
): Promise<number | undefined> {
  if (!query.count) return undefined
  if (!page.next) return page.records.length
  const counting = { ...query, limit: 1 }
  return (await within(db, left(), (one) => selectPage(one, model, counting)))?.total
}

/** The page, if no other record can belong to it. */
function completePage(found: readonly KeyedRecord[], { limit, count }: PageQuery): QuickPage {
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    records: shown.map(({ record }) => record),
    total: count && !last ? shown.length : undefined,
    next: last && { key: last.key, id: last.record.id },
    isComplete: true,
  }
}

/** Searches the newest records, slice by slice, until the page is complete or the time is over. @throws StaleModel, LongPage */
async function scanSlices(db: Db, model: ObjectModel, query: PageQuery, left: Left): Promise<QuickPage> {
  const { limit, sort } = query
  const isNewestFirst = sort.key === undefined && sort.order === 'desc'
  let found: KeyedRecord[] = []
  let searched = 0
  for (let before: string | undefined; ; ) {
    const slice = await within(db, left(), (one) => selectSlice(one, model, query, { before, size: SLICE }))
    if (!slice) break
    found = [...found, ...slice.found].sort(byPageOrder(sort)).slice(0, limit + 1)
    searched += slice.looked
    before = slice.last
    if (slice.looked < SLICE || (isNewestFirst && found.length > limit)) return completePage(found, query)
  }
  const records = found.slice(0, limit).map(({ record }) => record)
  return { records, total: undefined, next: undefined, isComplete: false, searched }
}

/** Like scanSlices, but reads fewer records if they are large. */
async function scanNewest(db: Db, model: ObjectModel, query: PageQuery, left: Left): Promise<QuickPage> {
  try {
    return await scanSlices(db, model, query, left)
  } catch (error) {
    if (!(error instanceof LongPage)) throw error
    return scanNewest(db, model, { ...query, limit: error.limit }, left)
  }
}

/** Only first pages have this time limit. @throws StaleModel, LongPage */
export async function selectQuickPage(
  { db, config }: Pick<BaseContext, 'db' | 'config'>,
  model: ObjectModel,
  query: PageQuery,
): Promise<QuickPage> {
  // The pages before this one were read from all records, so this one is too.
  if (query.offset > 0 || query.position) return { ...(await selectPage(db, model, query)), isComplete: true }
  const end = performance.now() + config.quickSearchSeconds * 1000 * READING_SHARE
  const left = () => Math.max(1, end - performance.now())
  const read = (one: Db) => selectPage(one, model, { ...query, count: false })
  // While the index is incomplete, a page would scan the whole object.
  if (model.index && !isIndexed(model)) return scanNewest(db, model, query, left)
  const page = await within(db, left() * PAGE_SHARE, read)
  if (!page) return scanNewest(db, model, query, left)
  return { ...page, total: await readTotal(db, model, { query, page, left }), isComplete: true }
}
