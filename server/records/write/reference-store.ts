// Finds the records that references by value name.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { isCurrent } from '../rows/stored-record.ts'
import { type HeldValue, type UniqueValue, uniqueKey } from './store.ts'

/**
 * Locks the records that have these unique values, so that none is deleted before the transaction ends.
 * @returns their ids by uniqueKey @throws StaleModel
 */
export async function lockHolders(
  tx: Db,
  model: ObjectModel,
  values: readonly UniqueValue[],
): Promise<Map<string, string>> {
  const attrs = values.map(({ attr }) => attr)
  const texts = values.map(({ value }) => value)
  const rows = await tx.many<Partial<HeldValue> & { fresh: boolean }>(sql`
    with held as materialized (
      select v.attr, v.value, u.id from unnest(${attrs}::int[], ${texts}::text[]) as v(attr, value)
      cross join lateral (
        select u.id from uniques u where u.org = ${model.org} and u.attr = v.attr and u.value = v.value offset 0) as u
      order by u.id),
    found as materialized (
      select h.attr, h.value, r.id from held h ${recordOf(model, sql`h.id`, { lock: sql`for key share` })})
    select found.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join found on true`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return new Map(
    rows.flatMap(({ attr, value, id }) =>
      attr === undefined || value === undefined || typeof id !== 'string'
        ? []
        : [[uniqueKey({ attr, value }), id] as const],
    ),
  )
}
