// Statements about saved views.
import sql, { type Sql } from 'sql-template-tag'
import { isUuid } from '../../contract/common.ts'
import { VIEWS_PER_USER_MAX } from '../../contract/limits.ts'
import type { View } from '../../contract/views.ts'
import { notFound } from '../base/errors.ts'
import { newId, withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { isCurrent } from '../records/rows/stored-record.ts'

const columns = sql`
  v.id, o.id as "objectId", v.name, v.kind, v.is_shared as "isShared", v.state,
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as "createdBy", v.updated_at as "updatedAt"`

type Row = Omit<View, 'createdAt'>

interface Reader {
  org: number
  userId: string
}

/** Personal views are visible only to their creator. */
const isVisible = ({ org, userId }: Reader): Sql =>
  sql`v.org = ${org} and (v.is_shared or v.created_by = ${userId})`

const from = (views: Sql) => sql`
  from ${views} v join objects o on o.org = v.org and o.obj = v.obj join users u on u.id = v.created_by`

/** Sorted by name, ignoring case. */
export async function selectViews(db: Db, reader: Reader, obj: number): Promise<View[]> {
  const rows = await db.many<Row>(sql`
    select ${columns} ${from(sql`views`)} where ${isVisible(reader)} and v.obj = ${obj}
    order by lower(v.name), v.id`)
  return rows.map(withCreatedAt)
}

/** @throws 404 not_found */
export async function findView(
  db: Db,
  reader: Reader,
  { obj, viewId }: { obj: number; viewId: string },
): Promise<View> {
  const row = isUuid(viewId)
    ? await db.maybeOne<Row>(sql`
        select ${columns} ${from(sql`views`)} where ${isVisible(reader)} and v.obj = ${obj} and v.id = ${viewId}`)
    : undefined
  if (!row) throw notFound('view')
  return withCreatedAt(row)
}

/** Locks the view for a change. @throws 404 not_found, also if the model is outdated */
export async function lockView(tx: Db, reader: Reader, model: ObjectModel, viewId: string): Promise<View> {
  const row = isUuid(viewId)
    ? await tx.maybeOne<Row>(sql`
        select ${columns} ${from(sql`views`)}
        where ${isVisible(reader)} and v.obj = ${model.obj} and v.id = ${viewId} and ${isCurrent(model)}
        for no key update of v`)
    : undefined
  if (!row) throw notFound('view')
  return withCreatedAt(row)
}

type ViewFields = Pick<View, 'name' | 'kind' | 'isShared' | 'state'>

/** @returns undefined if the user has the maximum number of views of the object, or if the model is outdated */
export async function insertView(
  db: Db,
  { org, userId }: Reader,
  model: ObjectModel,
  fields: ViewFields,
): Promise<View | undefined> {
  const { obj } = model
  const row = await db.maybeOne<Row>(sql`
    with v as (
      insert into views (org, id, obj, name, kind, is_shared, state, created_by)
      select ${org}, ${newId()}::uuid, ${obj}, ${fields.name}, ${fields.kind}, ${fields.isShared}::boolean,
        ${JSON.stringify(fields.state)}::jsonb, ${userId}::uuid
      where (select count(*) from views where org = ${org} and obj = ${obj} and created_by = ${userId})
        < ${VIEWS_PER_USER_MAX} and ${isCurrent(model)}
      returning *)
    select ${columns} ${from(sql`v`)}`)
  return row && withCreatedAt(row)
}

/** Writes the fields of a locked view. */
export async function updateView(
  tx: Db,
  org: number,
  { id, name, kind, isShared, state }: ViewFields & { id: string },
): Promise<View> {
  const row = await tx.one<Row>(sql`
    with v as (
      update views set name = ${name}, kind = ${kind}, is_shared = ${isShared}, state = ${JSON.stringify(state)},
        updated_at = greatest(now(), updated_at + interval '1 microsecond')
      where org = ${org} and id = ${id} returning *)
    select ${columns} ${from(sql`v`)}`)
  return withCreatedAt(row)
}

export const deleteViewRow = (tx: Db, org: number, id: string) =>
  tx.run(sql`delete from views where org = ${org} and id = ${id}`)
