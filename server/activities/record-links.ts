// Removes deleted records from activities, and puts restored records back, also in activities that are in the trash.
// Each changed activity gets an event; an activity in the trash gets it when it is restored.
import sql from 'sql-template-tag'
import type { Participant, RecordRef } from '../../contract/activities.ts'
import { ACTIVITY_LINKS_MAX } from '../../contract/limits.ts'
import type { Author } from '../base/caller.ts'
import { withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import type { DeletedRecords } from '../model/objects/deleted-records.ts'
import type { RestoredRecords } from '../records/trash/context.ts'
import { type DeletedElement, placed, placesIn } from '../records/trash/places.ts'
import { selectReferenceHolders } from '../records/trash/store.ts'
import { noteMergedChanges } from '../records/write/merge-journal.ts'
import {
  type ActivityRow,
  activityColumns,
  announceActivity,
  announced,
  LINKED_RECORD,
  moveLinks,
  nextActivityVersion,
  PERSON,
  type Sequence,
  type StoredActivity,
  sequence,
  shownLinks,
} from './store.ts'
import { lockTrashedActivities, writeTrashedLinks } from './trash/store.ts'

/** The lists of an activity that name records. */
export const listsOf = ({ storedLinks: links, participants: people }: ActivityRow) => ({ links, people })

const BATCH = 1000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

const lockLinked = (tx: Db, org: number, recordIds: readonly string[], afterId: string) =>
  tx.many<ActivityRow>(sql`
    select ${activityColumns} from activities a join users u on u.id = a.created_by
    where a.org = ${org} and a.id > ${afterId}::uuid and a.id in (
      select l.id from links l
      where l.org = ${org} and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.target = any(${recordIds}::uuid[]))
    order by a.id limit ${BATCH} for no key update of a`)

export function without(row: ActivityRow, deleted: ReadonlySet<string>): ActivityRow {
  const stays = ({ recordId }: RecordRef) => !deleted.has(recordId)
  const remains = ({ type, id }: Participant) => type !== 'person' || !deleted.has(id)
  return {
    ...row,
    storedLinks: row.storedLinks.filter(stays),
    participants: row.participants.filter(remains),
  }
}

/** Keeps only the first occurrence of each element. */
const once = <Element>(list: readonly Element[], keyOf: (element: Element) => string): Element[] => [
  ...new Map(list.map((element) => [keyOf(element), element])).values(),
]

/** The activity with the successor in place of deleted records, at most once in each list. */
export function succeeded(row: ActivityRow, deleted: ReadonlySet<string>, successor: string): ActivityRow {
  const links = row.storedLinks.map((link) =>
    deleted.has(link.recordId) ? { ...link, recordId: successor } : link,
  )
  const people = row.participants.map((one) =>
    one.type === 'person' && deleted.has(one.id) ? { ...one, id: successor } : one,
  )
  return {
    ...row,
    storedLinks: once(links, ({ recordId }) => recordId),
    participants: once(people, ({ type, id }) => `${type} ${id}`),
  }
}

/** The changes in the form that a merge stores (unmerge-links.ts). */
const noted = (before: readonly ActivityRow[], after: readonly ActivityRow[]) =>
  before.map((row, index) => ({ id: row.id, before: listsOf(row), after: listsOf(after[index] ?? row) }))

async function writeRows(tx: Db, org: number, rows: readonly ActivityRow[]): Promise<StoredActivity[]> {
  const updated = await tx.many<Pick<ActivityRow, 'id' | 'linkedRecords' | 'updatedAt' | keyof Sequence>>(sql`
    update activities a set linked_records = d.linked, participants = d.participants, ${nextActivityVersion}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => JSON.stringify(row.storedLinks))}::jsonb[],
      ${rows.map((row) => JSON.stringify(row.participants))}::jsonb[]) as d(id, linked, participants)
    where a.org = ${org} and a.id = d.id
    returning a.id, ${shownLinks} as "linkedRecords", a.updated_at as "updatedAt", ${sequence}`)
  const byId = new Map(updated.map((row) => [row.id, row]))
  return rows.map((row) => withCreatedAt({ ...row, ...byId.get(row.id) }))
}

/**
 * Writes locked activities with other links, and an event for each. The change is not part of a change set: the undo of
 * the records' change reverts it.
 */
async function change(
  tx: Db,
  { changeSet: _, ...author }: Author,
  before: readonly ActivityRow[],
  after: readonly ActivityRow[],
): Promise<void> {
  const written = await writeRows(tx, author.org, after)
  await moveLinks(tx, author.org, { before, after: written })
  await announceActivity(tx, author, 'activity.updated', written.map(announced))
}

/** @param isForDeletion locks the activities so that no file can be attached to them */
export const lockActivities = (tx: Db, org: number, ids: readonly string[], isForDeletion = false) =>
  tx.many<ActivityRow>(sql`
    select ${activityColumns} from activities a join users u on u.id = a.created_by
    where a.org = ${org} and a.id = any(${ids}::uuid[]) order by a.id
    ${isForDeletion ? sql`for update of a` : sql`for no key update of a`}`)

/** Returns the changed activity; undefined if it does not change. */
type Changing = (row: ActivityRow) => ActivityRow | undefined

function pairsOf(rows: readonly ActivityRow[], changing: Changing) {
  const pairs = rows.flatMap((before) => {
    const after = changing(before)
    return after ? [{ before, after }] : []
  })
  return { before: pairs.map((pair) => pair.before), after: pairs.map((pair) => pair.after) }
}

/** Changes the links of activities, also in the trash. @param changingOf receives all found activities */
export async function changeAll(
  tx: Db,
  author: Author,
  ids: readonly string[],
  changingOf: (rows: readonly ActivityRow[]) => Promise<Changing>,
): Promise<void> {
  const { org } = author
  const live = await lockActivities(tx, org, ids)
  const isLive = new Set(live.map(({ id }) => id))
  const rest = ids.filter((id) => !isLive.has(id))
  const trashed = rest.length === 0 ? [] : await lockTrashedActivities(tx, org, rest)
  const changing = await changingOf([...live, ...trashed])
  const { before, after } = pairsOf(live, changing)
  if (after.length > 0) await change(tx, author, before, after)
  const kept = pairsOf(trashed, changing).after
  if (kept.length > 0) await writeTrashedLinks(tx, org, kept)
}

/** The place that a deleted record had in an activity. */
interface DeletedLink extends DeletedElement {
  attr: number
}

/** By activity: the records that were deleted from its lists before. */
const selectDeletedLinks = async (
  tx: Db,
  org: number,
  rows: readonly ActivityRow[],
): Promise<Map<string, DeletedLink[]>> => {
  const links = await tx.many<DeletedLink & { id: string }>(sql`
    select id, attr, target, place from trash_links
    where org = ${org} and id = any(${rows.map(({ id }) => id)}::uuid[]) and attr in (${LINKED_RECORD}, ${PERSON})`)
  return Map.groupBy(links, ({ id }) => id)
}

const ofList = (deleted: readonly DeletedLink[], list: number) => deleted.filter(({ attr }) => attr === list)

/** The places of `records` in an activity, counting the places of deleted records. */
function placesOf(
  { id, storedLinks, participants }: ActivityRow,
  deleted: readonly DeletedLink[],
  records: ReadonlySet<string>,
): (DeletedLink & { id: string })[] {
  const links = placesIn(storedLinks, ofList(deleted, LINKED_RECORD))
  const people = placesIn(participants, ofList(deleted, PERSON))
  return [
    ...storedLinks.map(({ recordId }, index) => ({
      attr: LINKED_RECORD,
      target: recordId,
      place: links[index],
    })),
    ...participants.flatMap(({ type, id: target }, index) =>
      type === 'person' ? [{ attr: PERSON, target, place: people[index] }] : [],
    ),
  ].flatMap(({ place = 1, ...one }) => (records.has(one.target) ? [{ ...one, id, place }] : []))
}

const insertPlaces = (tx: Db, org: number, places: readonly (DeletedLink & { id: string })[]) =>
  tx.run(sql`
    insert into trash_links (org, attr, target, id, place)
    select ${org}, attr, target, id, place from unnest(
      ${places.map(({ attr }) => attr)}::int[], ${places.map(({ target }) => target)}::uuid[],
      ${places.map(({ id }) => id)}::uuid[], ${places.map(({ place }) => place)}::int[]) as p(attr, target, id, place)
    on conflict (org, target, attr, id) do update set place = excluded.place`)

/** Stores the places of records in activities, so that a restore puts the records back there. */
export async function keepPlaces(
  tx: Db,
  org: number,
  rows: readonly ActivityRow[],
  records: ReadonlySet<string>,
): Promise<void> {
  const deleted = await selectDeletedLinks(tx, org, rows)
  await insertPlaces(
    tx,
    org,
    rows.flatMap((row) => placesOf(row, deleted.get(row.id) ?? [], records)),
  )
}

/**
 * Removes records from linkedRecords and participants before they are deleted, or replaces them by their successor. The
 * records are locked.
 */
export async function unlinkRecords(
  tx: Db,
  author: Author,
  { ids, isPermanent, successor }: DeletedRecords,
): Promise<void> {
  const deleted = new Set(ids)
  let last: string | undefined = BEFORE_ALL
  while (last !== undefined) {
    const before: ActivityRow[] = await lockLinked(tx, author.org, ids, last)
    if (before.length === 0) return
    const after = before.map((row) =>
      successor ? succeeded(row, deleted, successor.id) : without(row, deleted),
    )
    if (successor)
      await noteMergedChanges(tx, { ...author, ...successor }, { kind: 'activity' }, noted(before, after))
    else if (!isPermanent) await keepPlaces(tx, author.org, before, deleted)
    await change(tx, author, before, after)
    last = before.at(-1)?.id
  }
}

type Relinking = Pick<RestoredRecords, 'objectId' | 'losses'> & { returning: ReadonlySet<string> }

/** The activity with restored records at their places, up to the limit of its lists; undefined if unchanged. */
function withRestored(
  row: ActivityRow,
  deleted: readonly DeletedLink[],
  { objectId, returning, losses }: Relinking,
): ActivityRow | undefined {
  const linked = new Set(row.storedLinks.map(({ recordId }) => recordId))
  const present = new Set(row.participants.map(({ id }) => id))
  const isBack = (target: string, has: ReadonlySet<string>) => returning.has(target) && !has.has(target)
  const links = placed(row.storedLinks, ofList(deleted, LINKED_RECORD), {
    back: ({ target }) => (isBack(target, linked) ? { objectId, recordId: target } : undefined),
    max: ACTIVITY_LINKS_MAX,
  })
  const people = placed(row.participants, ofList(deleted, PERSON), {
    back: ({ target }) => (isBack(target, present) ? { type: 'person' as const, id: target } : undefined),
    max: ACTIVITY_LINKS_MAX,
  })
  for (const { target, attr } of [...links.lost, ...people.lost])
    losses.add('list_full', {
      recordId: target,
      slug: attr === PERSON ? 'participants' : 'linkedRecords',
      activityId: row.id,
    })
  if (links.added.length + people.added.length === 0) return undefined
  return { ...row, storedLinks: links.list, participants: people.list }
}

/** Puts restored records back into the activities that had them. */
export async function relinkRecords(
  tx: Db,
  author: Author,
  { ids, ...rest }: RestoredRecords,
): Promise<void> {
  const { org } = author
  const relinking = { ...rest, returning: new Set(ids) }
  for await (const activities of selectReferenceHolders(tx, org, [LINKED_RECORD, PERSON], ids))
    await changeAll(tx, author, activities, async (rows) => {
      const deleted = await selectDeletedLinks(tx, org, rows)
      return (row) => withRestored(row, deleted.get(row.id) ?? [], relinking)
    })
}
