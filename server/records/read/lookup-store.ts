// Finds records by name or unique value.
import sql, { type Sql } from 'sql-template-tag'
import { singleLine } from '../../../contract/single-line.ts'
import type { Db } from '../../db/pool.ts'
import { type ModelAttribute, type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { withKeyOf } from '../engine/lookups.ts'
import { isIndexed } from '../engine/statistics.ts'
import { comparableText, lower, storedValue } from '../filters/comparable.ts'
import { isCurrent } from '../rows/stored-record.ts'

export interface Named {
  text: string
  id: string
}

/** Records read for each name: two show that the name is ambiguous. */
const SAME_NAME_MAX = 2

/** Ids of up to two records for each name in `wanted w`: from index rows, or by one scan of all records. */
function idsByName(model: ObjectModel, attribute: ModelAttribute): Sql {
  const { org, obj } = model
  const own = sql`r.org = ${org} and r.obj = ${obj}`
  const isNamed = sql`w.key = ${lower(comparableText(attribute.type, storedValue(attribute)))}`
  const kept = isIndexed(model) ? model.index.attributes.get(attribute.slug) : undefined
  if (kept?.state !== 'ready')
    return sql`
      select w.text, (array_agg(r.id order by r.id))[1:${SAME_NAME_MAX}::int]::text[] as ids
      from records r join wanted w on ${isNamed} where ${own} group by w.text`
  return sql`
    select w.text, array(
      select i.id from (${withKeyOf(model, kept, sql`w.name`)}) as i
      ${recordOf(model, sql`i.id`, { conditions: [isNamed] })}
      order by i.id limit ${SAME_NAME_MAX})::text[] as ids
    from wanted w`
}

/** Finds at most two records for each name, ignoring case. */
export async function selectByName(
  db: Db,
  model: ObjectModel,
  { attribute, texts }: { attribute: ModelAttribute; texts: readonly string[] },
): Promise<Named[]> {
  const rows = await db.many<{ text: string | null; ids: string[] | null; fresh: boolean }>(sql`
    with wanted as (
      select text, name, ${lower(sql`name`)} as key
      from unnest(${texts}::text[], ${texts.map(singleLine)}::text[]) as named(text, name))
    select found.*, state.fresh from (select ${isCurrent(model)} as fresh) as state
    left join (${idsByName(model, attribute)}) as found on true`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return rows.flatMap(({ text, ids }) => (text === null ? [] : (ids ?? []).map((id) => ({ text, id }))))
}

/** Finds records by their unique values. */
export const selectByUnique = (
  db: Db,
  org: number,
  values: readonly { attr: number; value: string; text: string }[],
) =>
  db.many<Named>(sql`
    select v.text, u.id from unnest(
      ${values.map(({ attr }) => attr)}::int[], ${values.map(({ value }) => value)}::text[],
      ${values.map(({ text }) => text)}::text[]) as v(attr, value, text)
    join uniques u on u.org = ${org} and u.attr = v.attr and u.value = v.value`)
