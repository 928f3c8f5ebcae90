// Names of records, and which of them exist.
import sql from 'sql-template-tag'
import { NAME_CHARACTERS_MAX, namingAttribute, shortId } from '../../../contract/record-name.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { comparableText } from '../filters/comparable.ts'
import { isCurrent } from '../rows/stored-record.ts'

/** contract/record-name.ts `recordName` of `records r`, in SQL; null if the record has no name. */
export function recordNameSql(model: ObjectModel) {
  const attribute = namingAttribute([...model.attributes.values()])
  if (!attribute) return sql`null::text`
  const text = comparableText(attribute.type, sql`(r.data->${attribute.slug}::text)`)
  return sql`nullif(left(${text}, ${NAME_CHARACTERS_MAX}::int), '')`
}

export const nameOr = (name: string | null, id: string): string => name ?? shortId(id)

/** The objects that are not deleted. */
export async function selectLiveObjects(
  db: Db,
  org: number,
  objectIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select id from objects where org = ${org} and deleted_at is null and id = any(${objectIds}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/** @returns the names of the records that exist */
export async function selectNames(
  db: Db,
  model: ObjectModel,
  ids: readonly string[],
): Promise<{ recordId: string; name: string }[]> {
  const rows = await db.many<{ id: string | null; name: string | null; fresh: boolean }>(sql`
    select found.id, found.name, state.fresh
    from (select ${isCurrent(model)} as fresh) as state left join (
      select r.id, ${recordNameSql(model)} as name from ${recordsByIds(model, sql`${ids}::uuid[]`)}) as found on true`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return rows.flatMap(({ id, name }) => (id === null ? [] : [{ recordId: id, name: nameOr(name, id) }]))
}
