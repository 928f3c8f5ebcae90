// All records that meet filters, for what counts or groups the whole set: by the index rows of the filter that leaves
// fewest, or one record after the other where most are wanted anyway.
import sql, { join, type Sql } from 'sql-template-tag'
import { type ObjectModel, STALE } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import { conditionsOf, type RecordFilter } from '../filters.ts'
import { type Indexed, isCapped, type Measured, measure, type Prepared, prepare } from './measure.ts'
import { waysTo } from './planner.ts'
import { isIndexed } from './select-page.ts'
import { own } from './ways.ts'

/** Records `r` that meet all conditions, looked at one by one. */
const recordsWhere = (model: ObjectModel, conditions: readonly Sql[]): Sql =>
  sql`select r.* from records r where ${join([own(model), ...conditions], ' and ')}`

/** As measure, but counts on: where all are read, it matters how many more than a page they are. */
export async function measureWhole(
  db: Db,
  model: Indexed,
  prepared: readonly Prepared[],
): Promise<Measured | typeof STALE> {
  const measured = await measure(db, model, prepared)
  if (measured === STALE) return STALE
  const facts = [...measured.facts]
  for (const [place, one] of prepared.entries()) {
    const fact = facts[place]
    if (!fact || !one.probe || !isCapped(one, fact)) continue
    const { loose, ids } = one.probe
    const { count } = await db.one<{ count: number }>(
      sql`select count(*) as count from (${loose ?? ids}) as i`,
    )
    facts[place] = { ...fact, found: count }
  }
  return { ...measured, facts }
}

/**
 * A query of the records that meet all filters, in no order. To be run at once: what it is chosen by grows old, which
 * costs time, never records.
 * @returns STALE when the model is out of date
 */
export async function matchingRecords(
  db: Db,
  model: ObjectModel,
  filters: readonly RecordFilter[],
): Promise<Sql | typeof STALE> {
  const conditions = conditionsOf(filters)
  if (!isIndexed(model) || filters.length === 0) return recordsWhere(model, conditions)
  const prepared = prepare(model, filters)
  const measured = await measureWhole(db, model, prepared)
  if (measured === STALE) return STALE
  const { records, facts } = measured
  const [way] = waysTo({ records, filters: facts, order: 'none', until: records })
  const probe = way?.way === 'gather' ? prepared[way.filter]?.probe : undefined
  if (!probe) return recordsWhere(model, conditions)
  return sql`
    select r.* from (${probe.ids}) as i ${recordOf(model, sql`i.id`, { conditions })}`
}
