// Finds the best hits of a large object by its index rows: first names and values that begin with the text, then a walk
// along the names, and last the rarest words in any position. A later stage runs only if hits are missing.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { firstByText, hasTrigrams, idsByIndex } from '../records/engine/lookups.ts'
import { isCommon, sampleMatches } from '../records/engine/sample.ts'
import type { Indexed } from '../records/engine/statistics.ts'
import { conditionsOf, type RecordFilter } from '../records/filters/to-sql.ts'
import { type HitQuery, type Hits, selectHits } from './store.ts'
import type { Terms } from './terms.ts'

/** Maximum number of possible hits that are ranked: two in a hundred records may share a common part of a name. */
const RANKED_MAX = 2000
/** Number of names that are read in order. A common text occurs in some of them. */
const WALKED = 1000

/** Queries of ids by the index rows of each filter. @returns undefined if a filter has no index rows */
function candidates(model: Indexed, filters: readonly RecordFilter[]): Sql[] | undefined {
  const ids = filters.flatMap((filter) => idsByIndex(model, filter) ?? [])
  return ids.length === filters.length ? ids : undefined
}

/** The words that can be looked up in index rows. */
const lookupWords = (model: Indexed, { words }: Terms): RecordFilter[] =>
  words.filter((word) => idsByIndex(model, word) !== undefined)

/** The words with few index rows, or else the rarest word. The other words are compared in the records. */
async function rareOf(db: Db, model: Indexed, words: readonly RecordFilter[]): Promise<RecordFilter[]> {
  const long = words.filter(hasTrigrams)
  const usable = long.length > 0 ? long : [...words]
  if (usable.length < 2) return usable
  const sample = await sampleMatches(db, model, conditionsOf(usable))
  const counted = usable.map((word, place) => ({ word, matches: sample.matches[place] ?? 0 }))
  const rare = counted.filter(({ matches }) => !isCommon(sample, matches))
  const [rarest] = counted.toSorted((a, b) => a.matches - b.matches)
  return (rare.length > 0 ? rare : rarest ? [rarest] : []).map(({ word }) => word)
}

/** Queries of ids that include all records with all words. */
async function foundCandidates(db: Db, model: Indexed, terms: Terms): Promise<Sql[]> {
  if (terms.words.length < 2) return candidates(model, [terms.found]) ?? []
  const rare = await rareOf(db, model, lookupWords(model, terms))
  const each = candidates(model, rare) ?? []
  return [
    join(
      each.map((ids) => sql`(${ids})`),
      ' intersect ',
    ),
  ]
}

/** Whether index rows find all records that have the text. */
const isSearchable = (model: Indexed, terms: Terms): boolean =>
  terms.words.length < 2
    ? candidates(model, [terms.found]) !== undefined
    : lookupWords(model, terms).length > 0

type Stage = Pick<HitQuery, 'condition' | 'from'>

interface Stages {
  first: Stage[]
  /** The last stage, which is prepared only if it is needed. */
  last(db: Db): Promise<Stage>
}

/** @returns undefined if index rows do not find all hits */
function stagesOf(model: Indexed, terms: Terms, text: string, limit: number): Stages | undefined {
  const { naming, beginnings, found, rank } = terms
  const kept = naming && model.index.attributes.get(naming.slug)
  const others = candidates(model, naming ? beginnings.slice(1) : beginnings)
  if (!others || !isSearchable(model, terms) || (naming && kept?.state !== 'ready')) return undefined
  const stage = (place: number, all: readonly Sql[], some: readonly Sql[]): Stage => ({
    from: { all, some, limit: RANKED_MAX },
    condition: sql`(${found.condition} and ${rank} = ${place}::int)`,
  })
  return {
    first: [
      ...(kept ? [stage(0, [firstByText(model, kept, { limit, prefix: text })], [])] : []),
      ...(others.length > 0 ? [stage(1, [], others)] : []),
      ...(kept ? [stage(2, [firstByText(model, kept, { limit: WALKED })], [])] : []),
    ],
    last: async (db) => stage(2, [], await foundCandidates(db, model, terms)),
  }
}

export interface IndexedSearch {
  terms: Terms
  limit: number
  text: string
  /** Called between statements. */
  renew(): Promise<void>
  /** Called with hits as they are found. */
  take(hits: Hits): void
}

/**
 * Searches the index rows.
 * @returns whether there may be better hits than those taken; undefined if the records must be scanned
 */
export async function lookInIndex(
  db: Db,
  model: Indexed,
  asked: IndexedSearch,
): Promise<boolean | undefined> {
  const { terms, limit, text, renew, take } = asked
  const stages = stagesOf(model, terms, text, limit)
  if (!stages) return undefined
  const found = new Set<string>()
  let isCut = false
  const look = async (stage: Stage) => {
    const hits = await selectHits(db, model, { ...stage, terms, limit })
    for (const { id } of hits.hits) found.add(id)
    isCut ||= hits.isCut
    take(hits)
  }
  for (const stage of stages.first) {
    if (found.size >= limit) return isCut
    await renew()
    await look(stage)
  }
  if (found.size >= limit) return isCut
  await renew()
  const last = await stages.last(db)
  await renew()
  await look(last)
  return isCut
}
