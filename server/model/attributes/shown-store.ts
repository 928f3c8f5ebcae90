// Statements of changes that hide or show the values of an attribute in all records: its deletion, and switching it off
// or on. The change alters the visible data, so each record with a value gets a version and an event. Clients that
// compare versions, ETags or events then find all changed records.
import sql, { type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { isHere } from '../../placement/placement.ts'
import { recordsByIds } from '../objects/record-lookup.ts'

/** The JSON of attributes.shown_change, with the author of the change. Records up to `after` have their version. */
export interface ShownChange {
  isShown: boolean
  after: string
  userId: string | null
  keyId: string | null
}

/** The attribute of the records that get versions. */
export interface OfAttribute {
  org: number
  obj: number
  attr: number
  slug: string
}

/** Locked records that have a value. */
export interface ShownRecords {
  ids: readonly string[]
  change: ShownChange
  /** Whether the value is also removed from the records. */
  isRemoved: boolean
}

export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Runs in the transaction of the change. Replaces an unfinished change, because only the final visibility counts. */
export const startShownChange = (
  tx: Db,
  { org, userId, keyId }: Author,
  { attr, isShown }: { attr: number; isShown: boolean },
) =>
  tx.run(sql`
    update attributes set shown_change_at = 'infinity', shown_change = jsonb_build_object(
      'isShown', ${isShown}::boolean, 'after', ${BEFORE_ALL}::text, 'userId', ${userId}::uuid, 'keyId', ${keyId}::uuid)
    where org = ${org} and attr = ${attr}`)

/** Locks the records of a batch that have a value. @returns the last record of the batch; null if the batch is empty */
export async function lockShownHolders(
  tx: Db,
  { org, obj, slug }: Omit<OfAttribute, 'attr'>,
  { after, limit }: { after: string; limit: number },
): Promise<{ ids: string[]; last: string | null }> {
  const { ids } = await tx.one<{ ids: string[] }>(sql`
    select array(
      select r.id from records r where r.org = ${org} and r.obj = ${obj} and r.id > ${after}::uuid
      order by r.id limit ${limit})::text[] as ids`)
  const conditions = [sql`(r.data ? ${slug}::text or r.comparable ? ${slug}::text)`]
  const held = await tx.many<{ id: string }>(sql`
    select r.id from ${recordsByIds({ org, obj }, sql`${ids}::uuid[]`, { conditions, lock: sql`for no key update` })}`)
  return { ids: held.map(({ id }) => id), last: ids.at(-1) ?? null }
}

/** A change of an attribute that is not deleted, for which some records have no version yet. */
export interface RunningShownChange extends OfAttribute {
  /** The time, as text, at which the change was found committed. A different change has a different time. */
  sealedAt: string
}

/** The running changes, without organizations whose data is in another cell. */
export const selectShownChanges = (db: Db, attr?: number) =>
  db.many<OfAttribute>(sql`
    select a.org, a.obj, a.attr, a.slug from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.shown_change is not null and a.deleted_at is null and o.deleted_at is null
      and (${attr ?? null}::int is null or a.attr = ${attr ?? null}::int) and ${isHere(sql`o.org`)}
    order by a.attr`)

/** Stores the time at which the change is known to be committed: all later transactions see it. */
export const sealShownChange = (db: Db, { org, attr }: OfAttribute): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    update attributes set shown_change_at = least(shown_change_at, clock_timestamp())
    where org = ${org} and attr = ${attr} and shown_change is not null and deleted_at is null
    returning shown_change_at::text as "sealedAt"`)

const isRunning = ({ org, attr, sealedAt }: RunningShownChange) => sql`
  org = ${org} and attr = ${attr} and shown_change_at = ${sealedAt}::timestamptz and deleted_at is null`

/** A second worker waits. @returns undefined if the change is finished or was replaced by another change */
export const lockShownChange = (tx: Db, running: RunningShownChange) =>
  tx.maybeValue<ShownChange>(sql`
    select shown_change from attributes where ${isRunning(running)} and shown_change is not null for no key update`)

/** The new `shown_change` after the records up to `last` got their version. */
export const shownUpTo = (last: string): Sql =>
  sql`jsonb_set(shown_change, '{after}', to_jsonb(${last}::text))`

/** @param last the last record of the batch; null if the change is finished */
export const moveShownChange = (tx: Db, running: RunningShownChange, last: string | null) =>
  tx.run(
    last === null
      ? sql`update attributes set shown_change = null, shown_change_at = null where ${isRunning(running)}`
      : sql`
        update attributes set shown_change = ${shownUpTo(last)}
        where ${isRunning(running)}`,
  )
