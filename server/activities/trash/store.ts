// Statements about the trash of activities: to store, restore and purge them.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import { withCreatedAt } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { lastVersion } from '../../events/sequence.ts'
import { microsOf } from '../../records/rows/sorting.ts'
import {
  type ActivityRow,
  type Announced,
  activityColumns,
  bare,
  moveLinks,
  type Sequence,
  type StoredActivity,
} from '../store.ts'

const FIELDS = sql`
  org, id, type, title, summary, activity_date, completed_at, assignee, linked_records, participants, created_by`

/** Moves a locked activity to the trash. @returns its last state, with the version of the deletion */
export async function trashActivityRow(
  tx: Db,
  { org, userId }: Pick<Author, 'org' | 'userId'>,
  activity: StoredActivity,
): Promise<Announced> {
  await moveLinks(tx, org, { before: [activity], after: [] })
  const last = await tx.one<Sequence>(sql`
    with deleted as (
      delete from activities a where a.org = ${org} and a.id = ${activity.id}
      returning a.org, a.id, a.type, a.title, a.summary, a.activity_date, a.completed_at, a.assignee, a.linked_records,
        a.participants, a.created_by, ${lastVersion(sql`a`)})
    insert into trash_activities (${FIELDS}, version, event_order, deleted_at, actor)
    select ${FIELDS}, version, event_order, deleted_at, ${userId}::uuid from deleted
    returning version, ${microsOf(sql`deleted_at`)} as micros, event_order::text as "eventOrder"`)
  return { ...last, activity: bare(activity) }
}

const selectRows = (db: Db, org: number, ids: readonly string[], lock: Sql): Promise<ActivityRow[]> =>
  db.many<ActivityRow>(sql`
    select ${activityColumns} from (
      select t.*, t.deleted_at as updated_at from trash_activities t
      where t.org = ${org} and t.id = any(${ids}::uuid[]) order by t.id ${lock}) as a
    join users u on u.id = a.created_by order by a.id`)

/** Activities in the trash, in the form of rows of activities. Their version is the version of the deletion. */
export const selectTrashedActivities = (db: Db, org: number, ids: readonly string[]) =>
  selectRows(db, org, ids, empty)

export const lockTrashedActivities = (tx: Db, org: number, ids: readonly string[]) =>
  selectRows(tx, org, ids, sql`for update`)

const listRows = (rows: readonly ActivityRow[]): Sql => sql`
  unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => JSON.stringify(row.storedLinks))}::jsonb[],
    ${rows.map((row) => JSON.stringify(row.participants))}::jsonb[]) as d(id, linked, people)`

/** Writes changed links of locked activities in the trash. */
export const writeTrashedLinks = (tx: Db, org: number, rows: readonly ActivityRow[]): Promise<number> =>
  tx.run(sql`
    update trash_activities t set linked_records = d.linked, participants = d.people
    from ${listRows(rows)} where t.org = ${org} and t.id = d.id`)

/** Moves locked activities out of the trash, with the links in `rows` and their next version. */
export async function insertRestoredActivities(
  tx: Db,
  org: number,
  rows: readonly ActivityRow[],
): Promise<StoredActivity[]> {
  const restored = await tx.many<ActivityRow>(sql`
    with back as (
      delete from trash_activities t using ${listRows(rows)} where t.org = ${org} and t.id = d.id
      returning t.*, d.linked, d.people),
    a as (
      insert into activities (${FIELDS}, updated_at, version, event_order)
      select org, id, type, title, summary, activity_date, completed_at, assignee, linked, people, created_by,
        greatest(clock_timestamp(), deleted_at + interval '1 microsecond'), version + 1,
        greatest(current_event_order(), event_order)
      from back order by id
      returning *)
    select ${activityColumns} from a join users u on u.id = a.created_by order by a.id`)
  await moveLinks(tx, org, { before: [], after: restored })
  return restored.map(withCreatedAt)
}

/** The internal number of each object; for a null id, that of people. */
export const selectOwners = (tx: Db, org: number, objectIds: readonly (string | null)[]) =>
  tx.many<{ objectId: string | null; obj: number }>(sql`
    select n.id as "objectId", o.obj from unnest(${objectIds}::uuid[]) as n(id)
    join objects o on o.org = ${org} and (o.id = n.id or (n.id is null and o.slug = 'people' and o.type = 'standard'))`)

/**
 * Deletes activities from the trash permanently, with their files, and the stored places of deleted records in them.
 * @param rows a query of `id` that locks rows of trash_activities
 * @returns their ids
 */
export async function purgeActivities(tx: Db, org: number, rows: Sql): Promise<string[]> {
  const purged = await tx.many<{ id: string }>(sql`
    with row as materialized (${rows}),
    deleted_files as (delete from trash_files t using row where t.org = ${org} and t.record_id = row.id),
    removed_files as (delete from trash_attachments t using row where t.org = ${org} and t.activity_id = row.id),
    deleted_places as (delete from trash_links l using row where l.org = ${org} and l.id = row.id and l.attr < 0)
    delete from trash_activities t using row where t.org = ${org} and t.id = row.id returning t.id`)
  return purged.map(({ id }) => id)
}
