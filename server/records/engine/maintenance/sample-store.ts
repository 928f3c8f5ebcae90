// Samples the oldest and the newest records of an object, and counts the values of its attributes.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { isPresent } from '../../filters/comparable.ts'
import { hasKind, valueParts, type Written } from '../index/changed-values.ts'
import type { SampledAttribute } from './index-choice.ts'
import { type ObjectKey, ofObject, selectIndexed } from './work-store.ts'

/** Records from each end. */
const SAMPLE = 5000

const SOURCE: Written = { name: sql`sample`, after: { data: sql`w.data`, comparable: sql`w.comparable` } }

const sampleOf = (object: ObjectKey): Sql => {
  const end = (order: Sql) =>
    sql`(select r.id from records r where ${ofObject(object, sql`r`)} order by r.id ${order} limit ${SAMPLE})`
  return sql`
    select r.id, r.data, r.comparable
    from (${end(sql`asc`)} union ${end(sql`desc`)}) as ends join records r on ${ofObject(object, sql`r`)} and r.id = ends.id`
}

export type SampledRow = SampledAttribute & { records: number }

export async function sampleAttributes(tx: Db, object: ObjectKey): Promise<SampledRow[]> {
  const attributes = await selectIndexed(tx, object)
  const parts = valueParts({ written: SOURCE, attributes })
  // For numbers, the number of different values does not matter.
  const texts = [
    sql`select null::int as attr, null::text as value where false`,
    ...(hasKind(attributes, 'text') ? [sql`select t.attr, t.new from texts t`] : []),
    ...(hasKind(attributes, 'texts') ? [sql`select e.attr, e.value from text_elements e`] : []),
  ]
  return tx.many<SampledRow>(sql`
    with sample as materialized (${sampleOf(object)}), ${join(parts)},
    present as (
      select a.attr, count(*) filter (where ${isPresent(sql`a.new`)}) as n from vals a group by a.attr),
    held as (
      select t.attr, count(t.value) as n, count(distinct t.value) as different, max(length(t.value)) as longest
      from (${join(texts, ' union all ')}) as t group by t.attr)
    select a.attr, a.type, a.is_list as "isList", a.is_unique as "isUnique",
           coalesce(p.n, 0) as present, coalesce(h.n, 0) as values, coalesce(h.different, 0) as different,
           coalesce(h.longest, 0) as longest, (select count(*) from sample) as records
    from attributes a left join present p on p.attr = a.attr left join held h on h.attr = a.attr
    where a.org = ${object.org} and a.attr = any(${attributes.map(({ attr }) => attr)}::int[])`)
}
