// Columns of attributes in responses, with their object. attributes/ has the changes of attributes.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Attribute } from '../../../contract/attributes.ts'
import { type JsonValue, parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { naming } from './naming.ts'

/**
 * Columns of contract/attributes.ts Attribute with its default as text, for `attributes a join objects o`: the values
 * before the statement.
 */
export const attributeColumns = sql`
  a.id, o.id as "objectId", a.name, a.slug, a.type, a.is_required as "isRequired", a.is_unique as "isUnique",
  a.is_list as "isList", a.is_active as "isActive",
  coalesce(a.attr = ${naming(sql`n.attr`)}, false) as "isNaming",
  a.display_order as "displayOrder", a.config, a.default_value::text as "defaultValue",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`

export type WithText<Row> = Omit<Row, 'defaultValue'> & { defaultValue: string | null }

/** Parses the default so that numbers keep their digits. */
export const readDefaultValue = (text: string | null): JsonValue =>
  text === null ? null : (parseJson(text) as JsonValue)

export const withDefault = <Row extends Pick<Attribute, 'defaultValue'>>(row: WithText<Row>): Row =>
  ({ ...row, defaultValue: readDefaultValue(row.defaultValue) }) as Row

const isChanging = (condition: Sql): Sql =>
  sql`exists (select from case_changes c where c.org = a.org and c.attr = a.attr and ${condition})`

/** Whether records of `attributes a` are getting keys by the other rule about case (attribute-changes/key-job.ts). */
export const isCaseChanging = isChanging(sql`c.phase = 'fill' and not c.of_uniqueness`)

/** Whether records are getting keys because the attribute becomes unique. Written values already claim their keys. */
export const isBecomingUnique = isChanging(sql`c.phase = 'fill' and c.of_uniqueness`)

/** Whether records are getting keys, or losing keys because the attribute is no longer unique. */
export const isUniqueChanging = isChanging(sql`c.of_uniqueness`)

/** Whether values from before this time may have no keys, because the attribute was not unique then. */
export const becameUniqueAfter = (time: Sql): Sql => sql`(a.unique_since > ${time} or ${isBecomingUnique})`

/** Whether written values claim keys. */
export const hasUniqueKeys = sql`(a.is_unique or ${isBecomingUnique})`

/** The attributes of an object that are not deleted, by displayOrder. */
export async function selectAttributes(
  db: Db,
  org: number,
  { obj, includeInactive }: { obj: number; includeInactive: boolean },
): Promise<Attribute[]> {
  const active: Sql = includeInactive ? empty : sql`and a.is_active`
  const rows = await db.many<WithText<Attribute>>(sql`
    select ${attributeColumns}
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.org = ${org} and a.obj = ${obj} and a.deleted_at is null ${active}
    order by a.display_order, a.attr`)
  return rows.map((row) => withDefault<Attribute>(row))
}
