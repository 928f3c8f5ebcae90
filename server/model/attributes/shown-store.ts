// Statements of changes that hide or show the values of an attribute in all records: its deletion, and switching it off
// or on. What is shown of a record changes then, so each record that has a value gets a version and an event: a client
// that compares versions, ETags or events finds all that changed.
import sql, { type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { isHere } from '../../placement/placement.ts'
import { recordsByIds } from '../objects/record-lookup.ts'

/** attributes.shown_change: records up to `after` have their version; in whose name. */
export interface ShownChange {
  isShown: boolean
  after: string
  userId: string | null
  keyId: string | null
}

/** Records of an attribute that get versions. */
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
  /** Whether the value goes from the records too. */
  isRemoved: boolean
}

export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** In the transaction of the change. One that is not finished is replaced: what is shown now is what counts. */
export const startShownChange = (
  tx: Db,
  { org, userId, keyId }: Author,
  { attr, isShown }: { attr: number; isShown: boolean },
) =>
  tx.run(sql`
    update attributes set shown_change_at = 'infinity', shown_change = jsonb_build_object(
      'isShown', ${isShown}::boolean, 'after', ${BEFORE_ALL}::text, 'userId', ${userId}::uuid, 'keyId', ${keyId}::uuid)
    where org = ${org} and attr = ${attr}`)

/** Locks the records of a batch that have a value. @returns the last of the batch; null: there is none */
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

/** A change of an attribute that is not deleted, with records that have no version of it yet. */
export interface RunningShownChange extends OfAttribute {
  /** When it was found committed, as text: another change has another time. */
  sealedAt: string
}

/** Of every organization; while one is moved, in the cell that has it. */
export const selectShownChanges = (db: Db, attr?: number) =>
  db.many<OfAttribute>(sql`
    select a.org, a.obj, a.attr, a.slug from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.shown_change is not null and a.deleted_at is null and o.deleted_at is null
      and (${attr ?? null}::int is null or a.attr = ${attr ?? null}::int) and ${isHere(sql`o.org`)}
    order by a.attr`)

/** The change is committed, or this would not see it: from now on no transaction begins that does not. */
export const sealShownChange = (db: Db, { org, attr }: OfAttribute): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    update attributes set shown_change_at = least(shown_change_at, clock_timestamp())
    where org = ${org} and attr = ${attr} and shown_change is not null and deleted_at is null
    returning shown_change_at::text as "sealedAt"`)

const isRunning = ({ org, attr, sealedAt }: RunningShownChange) => sql`
  org = ${org} and attr = ${attr} and shown_change_at = ${sealedAt}::timestamptz and deleted_at is null`

/** Of two workers the second waits. @returns undefined: it is finished, or another change has taken its place */
export const lockShownChange = (tx: Db, running: RunningShownChange) =>
  tx.maybeValue<ShownChange>(sql`
    select shown_change from attributes where ${isRunning(running)} and shown_change is not null for no key update`)

/** `shown_change` of a change that has come to this record. */
export const shownUpTo = (last: string): Sql =>
  sql`jsonb_set(shown_change, '{after}', to_jsonb(${last}::text))`

/** @param last of the batch; null: the change is finished */
export const moveShownChange = (tx: Db, running: RunningShownChange, last: string | null) =>
  tx.run(
    last === null
      ? sql`update attributes set shown_change = null, shown_change_at = null where ${isRunning(running)}`
      : sql`
        update attributes set shown_change = ${shownUpTo(last)}
        where ${isRunning(running)}`,
  )
