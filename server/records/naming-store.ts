// Records by what they are called, and what records are called.
import sql, { type Sql } from 'sql-template-tag'
import { namingAttribute } from '../../contract/record-name.ts'
import { type ModelAttribute, type ObjectModel, STALE } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { lower, storedValue, textOf } from './filters.ts'
import { isCurrent } from './store.ts'
import type { UniqueValue } from './write-store.ts'

export const namingOf = (model: ObjectModel): ModelAttribute | undefined =>
  namingAttribute([...model.attributes.values()])

const nameText = (attribute: ModelAttribute): Sql => textOf(attribute.type, storedValue(attribute))

export interface Named {
  /** The text asked for. */
  text: string
  id: string
}

/** How many records with one name are worth telling apart: two are too many already. */
const SAME_NAME_MAX = 2

/** At most two records of each name, whatever its case. @returns STALE */
export async function selectByName(
  db: Db,
  model: ObjectModel,
  { attribute, texts }: { attribute: ModelAttribute; texts: readonly string[] },
): Promise<Named[] | typeof STALE> {
  const { org, obj } = model
  const name = lower(nameText(attribute))
  const rows = await db.many<{ text: string | null; ids: string[] | null; fresh: boolean }>(sql`
    with wanted as (select text, ${lower(sql`text`)} as key from unnest(${texts}::text[]) as text)
    select found.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join (
      select w.text, (array_agg(r.id order by r.id))[1:${SAME_NAME_MAX}::int]::text[] as ids
      from records r join wanted w on w.key = ${name}
      where r.org = ${org} and r.obj = ${obj} group by w.text) as found on true`)
  if (!rows[0]?.fresh) return STALE
  return rows.flatMap(({ text, ids }) => (text === null ? [] : (ids ?? []).map((id) => ({ text, id }))))
}

/** Records by their unique values. */
export const selectByUnique = (db: Db, org: number, values: readonly (UniqueValue & { text: string })[]) =>
  db.many<Named>(sql`
    select v.text, u.id from unnest(
      ${values.map(({ attr }) => attr)}::int[], ${values.map(({ value }) => value)}::text[],
      ${values.map(({ text }) => text)}::text[]) as v(attr, value, text)
    join uniques u on u.org = ${org} and u.attr = v.attr and u.value = v.value`)

/** The names of records by id; those without one are left out. @returns STALE */
export async function selectNames(
  db: Db,
  model: ObjectModel,
  ids: readonly string[],
): Promise<Map<string, string> | typeof STALE> {
  const attribute = namingOf(model)
  if (!attribute || ids.length === 0) return new Map()
  const { org, obj } = model
  const rows = await db.many<{ id: string | null; name: string | null; fresh: boolean }>(sql`
    select found.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join (
      select r.id, ${nameText(attribute)} as name from records r
      where r.org = ${org} and r.obj = ${obj} and r.id = any(${ids}::uuid[])) as found on true`)
  if (!rows[0]?.fresh) return STALE
  return new Map(rows.flatMap(({ id, name }) => (id === null || !name ? [] : [[id, name]])))
}
