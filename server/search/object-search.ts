// Finds the best hits of one object within a time limit. Hits found before the limit are kept.
import type { MissingReason } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import { withinMs } from '../db/time-limit.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import type { IndexedAttribute, IndexState } from '../model/attributes/object-index.ts'
import { type Indexed, isIndexed } from '../records/engine/statistics.ts'
import { type IndexedSearch, lookInIndex } from './indexed.ts'
import { type Hit, type Hits, selectHits } from './store.ts'

/**
 * Number of records per statement of a scan: some tens of milliseconds, so that little work is lost at the time limit.
 */
const SLICE = 2000

const asReady = (state: IndexState): IndexState => (state === 'none' ? 'none' : 'ready')

const readAsBuilt = (one: IndexedAttribute): IndexedAttribute => ({
  ...one,
  state: asReady(one.state),
  search: asReady(one.search),
})

/** The model with its incomplete index rows treated as complete: some records have none yet. */
function asFarAsBuilt(model: ObjectModel): Indexed | undefined {
  const { index } = model
  if (!index) return undefined
  const attributes = [...index.attributes].map(([slug, one]) => [slug, readAsBuilt(one)] as const)
  return { ...model, index: { ...index, attributes: new Map(attributes) } }
}

interface Looking extends IndexedSearch {
  /** Called if records are scanned and one slice does not contain all of them. */
  onLargeScan(): void
}

/** Scans all records in slices, the newest first. */
async function scan(db: Db, model: ObjectModel, asked: Looking): Promise<void> {
  const { terms, limit, renew, take, onLargeScan } = asked
  let before: string | undefined
  for (let isMore = true; isMore; ) {
    await renew()
    const hits = await selectHits(db, model, { terms, limit, from: { before, limit: SLICE } })
    take(hits)
    isMore = hits.isCut && hits.last !== null
    before = hits.last ?? undefined
    if (isMore) onLargeScan()
  }
}

/** @returns whether there may be better hits than those taken */
async function look(db: Db, model: ObjectModel, asked: Looking): Promise<boolean> {
  const isCut = isIndexed(model) ? await lookInIndex(db, model, asked) : undefined
  if (isCut !== undefined) return isCut
  const built = asFarAsBuilt(model)
  if (built) await lookInIndex(db, built, asked)
  await scan(db, model, asked)
  return false
}

const byRank = (a: Hit, b: Hit) =>
  a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : 1)

export interface FoundHits {
  hits: Hit[]
  /** The reason why there may be better hits; undefined if there are none. */
  missing: MissingReason | undefined
}

/** @param ms the time limit */
export async function searchObject(
  db: Db,
  model: ObjectModel,
  { terms, text, limit }: Pick<IndexedSearch, 'terms' | 'text' | 'limit'>,
  ms: number,
): Promise<FoundHits> {
  const found = new Map<string, Hit>()
  const take = ({ hits }: Hits) => {
    for (const hit of hits) found.set(hit.id, hit)
  }
  let late: MissingReason = model.index && !isIndexed(model) ? 'indexing' : 'time'
  const onLargeScan = () => {
    late = 'indexing'
  }
  const asked = { terms, text, limit, take, onLargeScan }
  const isCut = await withinMs(db, ms, (tx, renew) => look(tx, model, { ...asked, renew }))
  return {
    hits: [...found.values()].sort(byRank).slice(0, limit),
    missing: isCut === undefined ? late : isCut ? 'many' : undefined,
  }
}
