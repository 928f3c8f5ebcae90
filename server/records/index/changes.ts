// What a write changes of the keys of its records: one text of SQL for all objects, their attributes are parameters.
import sql, { join, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { attributeRows, elementsOf, type Side, storedIn } from './keys.ts'

/** The CTE of the rows that were written (column `id`), and where it has their data from before and after. */
export interface Written {
  name: Sql
  before?: Side
  after?: Side
}

export type KeyOf = (value: Sql) => Sql

const NO_VALUE = sql`null::jsonb`
export const valueBefore = ({ before }: Written): Sql => (before ? storedIn(before) : NO_VALUE)
export const valueAfter = ({ after }: Written): Sql => (after ? storedIn(after) : NO_VALUE)

/** Each record with each of the attributes: FROM items `w` and `a`. */
export const written = ({ name }: Written, attributes: readonly IndexedAttribute[]): Sql =>
  sql`${name} w cross join ${attributeRows(attributes)}`

/** (id, attr, old, new) of values that are one for a record: rows whose key changed. */
export const changedKeys = (
  source: Written,
  attributes: readonly IndexedAttribute[],
  keyOf: KeyOf,
): Sql => sql`
  select * from (
    select w.id, a.attr, ${keyOf(valueBefore(source))} as old, ${keyOf(valueAfter(source))} as new
    from ${written(source, attributes)}) as k
  where old is distinct from new`

/** As changedKeys for lists: a row for each element that came (old is null) or went (new is null). */
export function changedElements(source: Written, attributes: readonly IndexedAttribute[], keyOf: KeyOf): Sql {
  const side = (value: Sql, sign: number) => sql`
    select distinct w.id, a.attr, ${keyOf(sql`e`)} as key, ${sign}::int as sign
    from ${written(source, attributes)} cross join ${elementsOf(value)} as e`
  const sides = [
    ...(source.before ? [side(valueBefore(source), -1)] : []),
    ...(source.after ? [side(valueAfter(source), 1)] : []),
  ]
  return sql`
    select id, attr, case when sum(sign) < 0 then key end as old, case when sum(sign) > 0 then key end as new
    from (${join(sides, ' union all ')}) as k
    where key is not null group by id, attr, key having sum(sign) <> 0`
}
