// The best hits of one object within a time: what was found by its end is kept.
import type { MissingReason } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import { withinMs } from '../db/time-limit.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import type { IndexedAttribute, IndexState } from '../model/attributes/object-index.ts'
import { type Indexed, isIndexed } from '../records/engine/statistics.ts'
import { type IndexedSearch, lookInIndex } from './indexed.ts'
import { type Hit, type Hits, selectHits } from './store.ts'

/** Records of a statement of a scan: some tens of milliseconds, so that little is lost at the end of the time. */
const SLICE = 2000

const asReady = (state: IndexState): IndexState => (state === 'none' ? 'none' : 'ready')

const readAsBuilt = (one: IndexedAttribute): IndexedAttribute => ({
  ...one,
  state: asReady(one.state),
  search: asReady(one.search),
})

/** The model with the index rows that are there already: some records have none yet. */
function asFarAsBuilt(model: ObjectModel): Indexed | undefined {
  const { index } = model
  if (!index) return undefined
  const attributes = [...index.attributes].map(([slug, one]) => [slug, readAsBuilt(one)] as const)
  return { ...model, index: { ...index, attributes: new Map(attributes) } }
}

interface Looking extends IndexedSearch {
  /** Called where records are scanned and one slice is not all of them. */
  onLargeScan(): void
}

/** All records, the newest first, slice by slice. */
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

/** @returns whether there may be better hits than those that were taken */
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
  /** Why there may be better ones; undefined: there are none. */
  missing: MissingReason | undefined
}

/** @param ms the time for it */
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
