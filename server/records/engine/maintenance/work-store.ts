// Background work on an object's index: objects.index_since is set where there is some.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import type { IndexedAttribute, IndexState } from '../../../model/attributes/object-index.ts'
import { lockObjectRow } from '../../../model/objects/store.ts'
import { LOWEST_ID } from '../index/index-keys.ts'

/** An object by its internal numbers. */
export interface ObjectKey {
  org: number
  obj: number
}

export const ofObject = ({ org, obj }: ObjectKey, alias: Sql): Sql =>
  sql`${alias}.org = ${org} and ${alias}.obj = ${obj}`

export interface Work {
  state: IndexState
  /** objects.index_since as PostgreSQL writes it; null while it is infinity. */
  since: string | null
  /** The last record seen. */
  last: string
  /** How many were seen. */
  seen: number
}

/** @returns undefined when nothing is to be done, or the object is deleted */
export const findWork = (db: Db, object: ObjectKey) =>
  db.maybeOne<Work>(sql`
    select o.index_state as state, nullif(o.index_since, 'infinity')::text as since,
           coalesce(o.index_last, ${LOWEST_ID})::text as last, o.index_seen as seen
    from objects o where ${ofObject(object, sql`o`)} and o.deleted_at is null and o.index_since is not null`)

/** Objects with something to be done: the first of each organization, then the second of each. */
export const selectWork = (db: Db, limit: number) =>
  db.many<ObjectKey>(sql`
    select w.org, w.obj from (
      select o.org, o.obj, row_number() over (partition by o.org order by o.obj) as place
      from objects o where o.index_since is not null and o.deleted_at is null) as w
    order by w.place, w.org, w.obj limit ${limit}`)

/** Visible, so the transaction that asked for the work is committed: every transaction that begins from now on sees it. */
export const sealWork = (db: Db, object: ObjectKey) =>
  db.run(sql`
    update objects o set index_since = clock_timestamp() where ${ofObject(object, sql`o`)} and o.index_since = 'infinity'`)

/** First keys of advisory locks, the object is the second: one node at a time works on it. */
const LOCKS = { fill: 740215661, fold: 740215662 } as const

/** Until the transaction ends. @returns false when another one has it */
export async function tryLock(tx: Db, lock: keyof typeof LOCKS, { obj }: ObjectKey): Promise<boolean> {
  const { taken } = await tx.one<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS[lock]}::int, ${obj}::int) as taken`,
  )
  return taken
}

/** Attributes of an object that are not deleted, inactive ones too; none of a deleted object. */
export const selectIndexed = (db: Db, object: ObjectKey) =>
  db.many<IndexedAttribute>(sql`
    select a.attr, a.slug, a.type, a.is_list as "isList", a.index_state as state, a.search_state as search, a.counting,
           a.is_counted as "isCounted", a.keeps_missing as "keepsMissing"
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where ${ofObject(object, sql`a`)} and a.deleted_at is null and o.deleted_at is null order by a.attr`)

/** Locks the object. @returns false when a fold has replaced this work: the new work has not seen any record yet */
export async function lockWork(tx: Db, object: ObjectKey, { state, since }: Work): Promise<boolean> {
  const found = await tx.run(sql`
    select from objects o where ${ofObject(object, sql`o`)} and o.deleted_at is null and o.index_state = ${state}
      and o.index_since = ${since}::timestamptz
    for no key update`)
  return found > 0
}

/** Begins to fill in, or with state none to clear away, once this is committed; in a transaction that has the object. */
export const askForWork = (tx: Db, object: ObjectKey, state: IndexState) =>
  tx.run(sql`
    update objects o set index_state = ${state}, index_since = 'infinity', index_last = null, index_seen = 0,
      version = nextval('object_versions')
    where ${ofObject(object, sql`o`)}`)

/** Locks the object. @returns false when it is deleted, or its state is another one */
export async function lockObjectIn(tx: Db, object: ObjectKey, state: IndexState): Promise<boolean> {
  const found = await tx.run(sql`
    select from objects o where ${ofObject(object, sql`o`)} and o.deleted_at is null and o.index_state = ${state}
    for no key update`)
  return found > 0
}

/** Drops the index: full scans read the records until the background has built it again. No answer changes. */
export const dropIndex = (db: Db, object: ObjectKey): Promise<void> =>
  db.transaction(async (tx) => {
    await lockObjectRow(tx, object.org, object.obj)
    await tx.run(sql`
      update attributes a set index_state = 'none', search_state = 'none', counting = 'none', is_counted = false,
        keeps_missing = false
      where ${ofObject(object, sql`a`)}`)
    await askForWork(tx, object, 'none')
  })
