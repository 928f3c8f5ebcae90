// Takes records that are deleted out of activities, and puts restored ones back. Each activity that changes by it says so.
import sql from 'sql-template-tag'
import type { Participant, RecordRef } from '../../contract/activities.ts'
import { ACTIVITY_LINKS_MAX } from '../../contract/limits.ts'
import type { Author, GoingRecords, ReturningRecords } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { withCreatedAt } from '../id.ts'
import {
  announce,
  announced,
  columns,
  LINKED_RECORD,
  movedOn,
  moveLinks,
  PERSON,
  type Row,
  type Sequence,
  type StoredActivity,
  sequence,
  shownLinks,
} from './store.ts'

const BATCH = 1000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

const lockLinked = (tx: Db, org: number, recordIds: readonly string[], afterId: string) =>
  tx.many<Row>(sql`
    select ${columns} from activities a join users u on u.id = a.created_by
    where a.org = ${org} and a.id > ${afterId}::uuid and a.id in (
      select l.id from links l
      where l.org = ${org} and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.target = any(${recordIds}::uuid[]))
    order by a.id limit ${BATCH} for no key update of a`)

function without(row: Row, gone: ReadonlySet<string>): Row {
  const stays = ({ recordId }: RecordRef) => !gone.has(recordId)
  const remains = ({ type, id }: Participant) => type !== 'person' || !gone.has(id)
  return {
    ...row,
    storedLinks: row.storedLinks.filter(stays),
    participants: row.participants.filter(remains),
  }
}

async function writeRows(tx: Db, org: number, rows: readonly Row[]): Promise<StoredActivity[]> {
  const moments = await tx.many<Pick<Row, 'id' | 'linkedRecords' | 'updatedAt' | keyof Sequence>>(sql`
    update activities a set linked_records = d.linked, participants = d.participants, ${movedOn}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => JSON.stringify(row.storedLinks))}::jsonb[],
      ${rows.map((row) => JSON.stringify(row.participants))}::jsonb[]) as d(id, linked, participants)
    where a.org = ${org} and a.id = d.id
    returning a.id, ${shownLinks} as "linkedRecords", a.updated_at as "updatedAt", ${sequence}`)
  const byId = new Map(moments.map((moment) => [moment.id, moment]))
  return rows.map((row) => withCreatedAt({ ...row, ...byId.get(row.id) }))
}

/** Writes locked activities with other links, and an event for each. */
async function change(tx: Db, author: Author, before: readonly Row[], after: readonly Row[]): Promise<void> {
  const written = await writeRows(tx, author.org, after)
  await moveLinks(tx, author.org, { before, after: written })
  await announce(tx, author, 'activity.updated', written.map(announced))
}

/** Where a record is in an activity. */
interface Place {
  attr: number
  target: string
  /** The activity. */
  id: string
  /** From 1. */
  place: number
}

const placesOf = ({ id, storedLinks, participants }: Row, records: ReadonlySet<string>): Place[] =>
  [
    ...storedLinks.map(({ recordId }, index) => ({
      attr: LINKED_RECORD,
      target: recordId,
      id,
      place: index + 1,
    })),
    ...participants.flatMap(({ type, id: target }, index) =>
      type === 'person' ? [{ attr: PERSON, target, id, place: index + 1 }] : [],
    ),
  ].filter(({ target }) => records.has(target))

const keepPlaces = (tx: Db, org: number, places: readonly Place[]) =>
  tx.run(sql`
    insert into trash_links (org, attr, target, id, place)
    select ${org}, attr, target, id, place from unnest(
      ${places.map(({ attr }) => attr)}::int[], ${places.map(({ target }) => target)}::uuid[],
      ${places.map(({ id }) => id)}::uuid[], ${places.map(({ place }) => place)}::int[]) as p(attr, target, id, place)
    on conflict do nothing`)

/** Takes records that are about to be deleted, and are locked for it, out of linkedRecords and participants. */
export async function unlinkRecords(
  tx: Db,
  author: Author,
  { ids, isPermanent }: GoingRecords,
): Promise<void> {
  const gone = new Set(ids)
  let last: string | undefined = BEFORE_ALL
  while (last !== undefined) {
    const before: Row[] = await lockLinked(tx, author.org, ids, last)
    if (before.length === 0) return
    if (!isPermanent)
      await keepPlaces(
        tx,
        author.org,
        before.flatMap((row) => placesOf(row, gone)),
      )
    await change(
      tx,
      author,
      before,
      before.map((row) => without(row, gone)),
    )
    last = before.at(-1)?.id
  }
}

const lockKept = (tx: Db, org: number, recordIds: readonly string[], afterId: string) =>
  tx.many<Row & { kept: Omit<Place, 'id'>[] }>(sql`
    select ${columns}, (
      select json_agg(json_build_object('attr', l.attr, 'target', l.target, 'place', l.place) order by l.place, l.target)
      from trash_links l
      where l.org = ${org} and l.target = any(${recordIds}::uuid[]) and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.id = a.id
      ) as kept
    from activities a join users u on u.id = a.created_by
    where a.org = ${org} and a.id > ${afterId}::uuid and a.id in (
      select l.id from trash_links l
      where l.org = ${org} and l.target = any(${recordIds}::uuid[]) and l.attr in (${LINKED_RECORD}, ${PERSON}))
    order by a.id limit ${BATCH} for no key update of a`)

/** The items with others at their places, as far as there is room. */
function withPlaced<Item>(items: readonly Item[], added: readonly { item: Item; place: number }[]): Item[] {
  const all = [...items]
  for (const { item, place } of added)
    if (all.length < ACTIVITY_LINKS_MAX) all.splice(Math.min(place - 1, all.length), 0, item)
  return all
}

function withRestored(row: Row, objectId: string, kept: readonly Omit<Place, 'id'>[]): Row {
  const linked = new Set(row.storedLinks.map(({ recordId }) => recordId))
  const people = new Set(row.participants.map(({ id }) => id))
  const missing = (attr: number, present: ReadonlySet<string>) =>
    kept.filter((one) => one.attr === attr && !present.has(one.target))
  const links = missing(LINKED_RECORD, linked).map(({ target, place }) => ({
    item: { objectId, recordId: target },
    place,
  }))
  const persons = missing(PERSON, people).map(({ target, place }) => ({
    item: { type: 'person' as const, id: target },
    place,
  }))
  return {
    ...row,
    storedLinks: withPlaced(row.storedLinks, links),
    participants: withPlaced(row.participants, persons),
  }
}

/** Puts restored records back into the activities that had them. */
export async function relinkRecords(
  tx: Db,
  author: Author,
  { objectId, ids }: ReturningRecords,
): Promise<void> {
  let last: string | undefined = BEFORE_ALL
  while (last !== undefined) {
    const rows: Awaited<ReturnType<typeof lockKept>> = await lockKept(tx, author.org, ids, last)
    if (rows.length === 0) return
    await change(
      tx,
      author,
      rows,
      rows.map(({ kept, ...row }) => withRestored(row, objectId, kept)),
    )
    last = rows.at(-1)?.id
  }
}
