// Statements about the order of attributes.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

/** Attributes of an object that are not deleted, in their order. */
export const selectPlaces = (tx: Db, org: number, obj: number) =>
  tx.many<{ attr: number; id: string }>(sql`
    select attr, id from attributes where org = ${org} and obj = ${obj} and deleted_at is null
    order by display_order, attr`)

/** SET item for `attributes a`. */
export const nextUpdatedAt = sql`updated_at = greatest(now(), a.updated_at + interval '1 microsecond')`

/** Numbers the attributes from 0. Attributes whose number changes get a new updatedAt. */
export const updateOrder = (tx: Db, org: number, attrs: readonly number[]) =>
  tx.run(sql`
    update attributes a set display_order = place - 1, ${nextUpdatedAt}
    from unnest(${attrs}::int[]) with ordinality as o(attr, place)
    where a.org = ${org} and a.attr = o.attr and a.display_order <> place - 1`)
