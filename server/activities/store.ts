// All statements about activities. linkedRecords and participants are stored as sent, in order. In addition, rows of
// `links` are the index of the activities of a record or an object.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Activity, RecordRef } from '../../contract/activities.ts'
import { isUuid } from '../../contract/common.ts'
import type { EventType } from '../../contract/events.ts'
import type { Author, Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import { newId, withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { eventsFrom } from '../events/outbox.ts'
import { eventId, lastVersion, nextVersion } from '../events/sequence.ts'
import { recordOf } from '../model/objects/record-lookup.ts'
import { microsOf } from '../records/rows/sorting.ts'

// Values of `links.attr` for activities; no attribute has such a number. They define what `target` is.
/** A linked record; `target` is its id. */
export const LINKED_RECORD = -1
/** A participating person; `target` is the id of the record. */
export const PERSON = -2
/** The object of linked records, once per activity and object; `target` is its id. */
export const LINKED_OBJECT = -3

/** The order of the activity's last event (events/sequence.ts). */
export interface Sequence {
  version: number
  /** Microseconds since 1970 of the last change. */
  micros: number
  /** The xid8 as text. */
  eventOrder: string
}

export interface StoredActivity extends Activity, Sequence {
  /** linkedRecords including records of deleted objects, which are hidden until model/objects/purge.ts removes them. */
  storedLinks: RecordRef[]
}

export const activityEtag = ({ micros }: Pick<StoredActivity, 'micros'>): string => `"${micros.toString(36)}"`

export const sequence = sql`
  a.version, ${microsOf(sql`a.updated_at`)} as micros, a.event_order::text as "eventOrder"`

/** linkedRecords without records of deleted objects. */
export const shownLinks = sql`
  case when exists (select from objects d where d.org = a.org and d.deleted_at is not null) then coalesce((
    select jsonb_agg(link order by place) from jsonb_array_elements(a.linked_records) with ordinality as l(link, place)
    where not exists (
      select from objects d
      where d.org = a.org and d.id = (link->>'objectId')::uuid and d.deleted_at is not null)), '[]')
  else a.linked_records end`

/** Columns of `activities a join users u`. */
export const activityColumns = sql`
  a.id, a.type, a.title, a.summary, a.activity_date as "activityDate", a.completed_at as "completedAt", a.assignee, ${shownLinks} as "linkedRecords",
  a.linked_records as "storedLinks", a.participants,
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as "createdBy", a.updated_at as "updatedAt",
  ${sequence}`

export type ActivityRow = Omit<StoredActivity, 'createdAt'>

/** The activity as in events. */
export function bare({ micros: _, eventOrder: __, storedLinks: ___, ...activity }: StoredActivity): Activity {
  return activity
}

async function getRow(db: Db, org: number, id: string, lock: Sql): Promise<StoredActivity> {
  const row = isUuid(id)
    ? await db.maybeOne<ActivityRow>(sql`
        select ${activityColumns} from activities a join users u on u.id = a.created_by
        where a.org = ${org} and a.id = ${id} ${lock}`)
    : undefined
  if (!row) throw notFound('activity')
  return withCreatedAt(row)
}

/** @throws 404 not_found */
export const getActivity = (db: Db, org: number, id: string) => getRow(db, org, id, empty)

/** The existing activities among `ids`. */
export const selectActivities = async (db: Db, org: number, ids: readonly string[]) =>
  (
    await db.many<ActivityRow>(sql`
      select ${activityColumns} from activities a join users u on u.id = a.created_by
      where a.org = ${org} and a.id = any(${ids}::uuid[])`)
  ).map(withCreatedAt)

/** As getActivity, and locks the activity against other changes until the transaction ends. */
export const lockActivity = (tx: Db, org: number, id: string) =>
  getRow(tx, org, id, sql`for no key update of a`)

/** As lockActivity, and also prevents files from being attached. */
export const lockForDeletion = (tx: Db, org: number, id: string) => getRow(tx, org, id, sql`for update of a`)

interface LinkRow {
  attr: number
  target: string
  id: string
}

type Linking = Pick<StoredActivity, 'id' | 'storedLinks' | 'participants'>

function linksOf({ id, storedLinks, participants }: Linking): LinkRow[] {
  const people = participants.filter(({ type }) => type === 'person')
  return [
    ...storedLinks.map(({ recordId }) => ({ attr: LINKED_RECORD, target: recordId, id })),
    ...people.map((person) => ({ attr: PERSON, target: person.id, id })),
    ...[...new Set(storedLinks.map(({ objectId }) => objectId))].map((target) => ({
      attr: LINKED_OBJECT,
      target,
      id,
    })),
  ]
}

const rowsOf = (links: readonly LinkRow[]) => sql`unnest(
  ${links.map(({ attr }) => attr)}::int[], ${links.map(({ target }) => target)}::uuid[],
  ${links.map(({ id }) => id)}::uuid[]) as c(attr, target, id)`

const keyOf = ({ attr, target, id }: LinkRow) => `${attr} ${target} ${id}`

/** Updates the rows of `links` after a change of activities. */
export async function moveLinks(
  tx: Db,
  org: number,
  { before, after }: { before: readonly Linking[]; after: readonly Linking[] },
): Promise<void> {
  const [old, now] = [before.flatMap(linksOf), after.flatMap(linksOf)]
  const [oldKeys, nowKeys] = [new Set(old.map(keyOf)), new Set(now.map(keyOf))]
  const removed = old.filter((link) => !nowKeys.has(keyOf(link)))
  const added = now.filter((link) => !oldKeys.has(keyOf(link)))
  if (removed.length > 0)
    await tx.run(sql`
      delete from links l using ${rowsOf(removed)}
      where l.org = ${org} and l.attr = c.attr and l.target = c.target and l.id = c.id`)
  if (added.length > 0)
    await tx.run(sql`
      insert into links (org, attr, target, id) select ${org}, attr, target, id from ${rowsOf(added)}`)
}

export type ActivityFields = Pick<
  Activity,
  | 'type'
  | 'title'
  | 'summary'
  | 'activityDate'
  | 'completedAt'
  | 'assignee'
  | 'linkedRecords'
  | 'participants'
>

export type NewFields = Omit<ActivityFields, 'activityDate'> & Partial<Pick<ActivityFields, 'activityDate'>>

/** Without an activityDate, the date is the creation time to the millisecond; a task then has no due date. */
export async function insertActivity(
  tx: Db,
  { org, userId }: Pick<Caller, 'org' | 'userId'>,
  fields: NewFields,
): Promise<StoredActivity> {
  const id = newId()
  const row = await tx.one<ActivityRow>(sql`
    with a as (
      insert into activities (org, id, type, title, summary, activity_date, completed_at, assignee, linked_records, participants,
        created_by, updated_at, event_order)
      values (${org}, ${id}, ${fields.type}, ${fields.title}, ${fields.summary},
        coalesce(${fields.activityDate ?? null}::timestamptz, uuid_extract_timestamp(${id}::uuid)), ${fields.completedAt}, ${fields.assignee}::uuid, ${JSON.stringify(fields.linkedRecords)}, ${JSON.stringify(fields.participants)}, ${userId},
        uuid_extract_timestamp(${id}::uuid), current_event_order())
      returning *)
    select ${activityColumns} from a join users u on u.id = a.created_by`)
  await moveLinks(tx, org, { before: [], after: [row] })
  return withCreatedAt(row)
}

export const nextActivityVersion = nextVersion(sql`a`)

/** Writes the fields of a locked activity. Hidden links are kept if linkedRecords does not change. */
export async function updateActivity(
  tx: Db,
  org: number,
  { before, fields }: { before: StoredActivity; fields: ActivityFields },
): Promise<StoredActivity> {
  const links = fields.linkedRecords === before.linkedRecords ? before.storedLinks : fields.linkedRecords
  const row = await tx.one<ActivityRow>(sql`
    with a as (
      update activities a set type = ${fields.type}, title = ${fields.title}, summary = ${fields.summary},
        activity_date = ${fields.activityDate}, completed_at = ${fields.completedAt}, assignee = ${fields.assignee}::uuid, linked_records = ${JSON.stringify(links)},
        participants = ${JSON.stringify(fields.participants)}, ${nextActivityVersion}
      where a.org = ${org} and a.id = ${before.id} returning *)
    select ${activityColumns} from a join users u on u.id = a.created_by`)
  await moveLinks(tx, org, { before: [before], after: [row] })
  return withCreatedAt(row)
}

/** Deletes a locked activity permanently. @returns its last state, with the version of the deletion */
export async function deleteActivityRow(tx: Db, org: number, activity: StoredActivity): Promise<Announced> {
  await moveLinks(tx, org, { before: [activity], after: [] })
  const last = await tx.one<Sequence>(sql`
    with removed_files as (
      delete from trash_attachments t where t.org = ${org} and t.activity_id = ${activity.id}),
    a as (
      delete from activities a where a.org = ${org} and a.id = ${activity.id} returning ${lastVersion(sql`a`)})
    select version, ${microsOf(sql`deleted_at`)} as micros, event_order::text as "eventOrder" from a`)
  return { ...last, activity: bare(activity) }
}

/** The data of an event about an activity. */
export interface Announced extends Sequence {
  activity: Activity
}

export const announced = (activity: StoredActivity): Announced => ({ ...activity, activity: bare(activity) })

/** Writes an event for each activity, in the transaction of the change. */
export function announceActivity(
  tx: Db,
  author: Author,
  type: EventType & `activity.${string}`,
  changes: readonly Announced[],
): Promise<number> {
  const source = sql`(
    select ${eventId(sql`c.micros`, sql`c.seed`)} as event, c.version, c.event_order::xid8, c.subject, c.data
    from unnest(
      ${changes.map(() => newId())}::uuid[], ${changes.map(({ micros }) => micros)}::bigint[],
      ${changes.map(({ version }) => version)}::int[], ${changes.map(({ eventOrder }) => eventOrder)}::text[],
      ${changes.map(({ activity }) => activity.id)}::uuid[],
      ${changes.map(({ activity }) => JSON.stringify(activity))}::jsonb[])
      as c(seed, micros, version, event_order, subject, data)) as change`
  return tx.run(sql`with ${eventsFrom(author, { type, obj: null }, source)} select from event`)
}

/** A record that an activity names; without objectId it is a person. */
export interface NamedRecord {
  objectId: string | null
  recordId: string
}

/**
 * Locks the named records so that none is deleted before this transaction ends.
 * @param withDeletedObjects also locks records of deleted objects, until a background job deletes the records
 * @returns the records that exist in their named object
 */
export async function lockNamedRecords(
  tx: Db,
  org: number,
  named: readonly NamedRecord[],
  withDeletedObjects = false,
): Promise<NamedRecord[]> {
  if (named.length === 0) return []
  const isObject = withDeletedObjects ? sql`true` : sql`o.deleted_at is null`
  return tx.many<NamedRecord>(sql`
    select t."objectId", r.id as "recordId"
    from (
      select t."objectId", t.id, o.obj
      from unnest(${named.map(({ objectId }) => objectId)}::uuid[], ${named.map(({ recordId }) => recordId)}::uuid[])
        as t("objectId", id)
      join objects o on o.org = ${org} and ${isObject}
        and (o.id = t."objectId" or (t."objectId" is null and o.slug = 'people' and o.type = 'standard'))
      order by o.obj, t.id) as t
    ${recordOf({ org, obj: sql`t.obj` }, sql`t.id`, { lock: sql`for key share` })}
    order by t.obj, t.id`)
}
