// The best hits of a large object by its index rows: what begins with the text, then a walk along the names, and
// only for what is rare in them all that has the text somewhere. Each stage is looked at only if hits are missing.
import sql, { join, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { firstByText, idsByIndex } from '../query-engine/lookups.ts'
import type { Indexed } from '../query-engine/statistics.ts'
import { isIndexed } from '../query-engine/statistics.ts'
import type { RecordFilter } from '../records/filters/to-sql.ts'
import { type Among, type Hit, type HitQuery, type Hits, selectHits } from './store.ts'
import type { Terms } from './terms.ts'

/** Of what may be a hit, this number is ranked: two records in a hundred have a common part of a name. */
const RANKED_MAX = 2000
/** Names that are looked at in their order: a text that is common is in some of them. */
const WALKED = 1000

/** Ids that index rows give for each of the filters. @returns undefined when they do not for one of them */
function candidates(model: Indexed, filters: readonly RecordFilter[]): Sql[] | undefined {
  const ids = filters.flatMap((filter) => idsByIndex(model, filter) ?? [])
  return ids.length === filters.length ? ids : undefined
}

/** Ids of records that have all words, and perhaps of others. @returns undefined when index rows do not show it */
function foundCandidates(model: Indexed, { words, found }: Terms): Sql[] | undefined {
  if (words.length < 2) return candidates(model, [found])
  const each = words.flatMap((word) => candidates(model, [word]) ?? [])
  if (each.length === 0) return undefined
  return [
    join(
      each.map((ids) => sql`(${ids})`),
      ' intersect ',
    ),
  ]
}

type Stage = Pick<HitQuery, 'condition'> & { among: Among }

/** @returns undefined when index rows do not show all */
function stagesOf(model: ObjectModel, terms: Terms, text: string, limit: number): Stage[] | undefined {
  if (!isIndexed(model)) return undefined
  const { naming, beginnings, found, rank } = terms
  const kept = naming && model.index.attributes.get(naming.slug)
  const others = candidates(model, naming ? beginnings.slice(1) : beginnings)
  const part = foundCandidates(model, terms)
  if (!others || !part || (naming && kept?.state !== 'ready')) return undefined
  const stage = (place: number, all: readonly Sql[], some: readonly Sql[]): Stage => ({
    among: { all, some, limit: RANKED_MAX },
    condition: sql`(${found.condition} and ${rank} = ${place}::int)`,
  })
  return [
    ...(kept ? [stage(0, [firstByText(model, kept, { limit, prefix: text })], [])] : []),
    ...(others.length > 0 ? [stage(1, [], others)] : []),
    ...(kept ? [stage(2, [firstByText(model, kept, { limit: WALKED })], [])] : []),
    stage(2, [], part),
  ]
}

/**
 * As selectHits.
 * @param renew is called between statements @returns undefined when the object is to be scanned
 */
export async function selectIndexedHits(
  db: Db,
  model: ObjectModel,
  { terms, limit, text, renew }: { terms: Terms; limit: number; text: string; renew: () => Promise<void> },
): Promise<Hits | undefined> {
  const stages = stagesOf(model, terms, text, limit)
  if (!stages) return undefined
  const found = new Map<string, Hit>()
  let isCut = false
  for (const stage of stages) {
    if (found.size >= limit) break
    await renew()
    const hits = await selectHits(db, model, { ...stage, terms, limit })
    for (const hit of hits.hits) found.set(hit.id, hit)
    isCut ||= hits.isCut
  }
  return { hits: [...found.values()], isCut }
}
