// Background work on an object's index. objects.index_since is set while there is work.
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
  /** Id of the last record that was processed. */
  last: string
  /** Number of records that were processed. */
  seen: number
}

/** @returns undefined when there is no work, or the object is deleted */
export const findWork = (db: Db, object: ObjectKey) =>
  db.maybeOne<Work>(sql`
    select o.index_state as state, nullif(o.index_since, 'infinity')::text as since,
           coalesce(o.index_last, ${LOWEST_ID})::text as last, o.index_seen as seen
    from objects o where ${ofObject(object, sql`o`)} and o.deleted_at is null and o.index_since is not null`)

/** Objects with work: the first of each organization, then the second of each. */
export const selectWork = (db: Db, limit: number) =>
  db.many<ObjectKey>(sql`
    select w.org, w.obj from (
      select o.org, o.obj, row_number() over (partition by o.org order by o.obj) as place
      from objects o where o.index_since is not null and o.deleted_at is null) as w
    order by w.place, w.org, w.obj limit ${limit}`)

/** A visible request for work is committed, so every transaction that begins after this statement sees it. */
export const sealWork = (db: Db, object: ObjectKey) =>
  db.run(sql`
    update objects o set index_since = clock_timestamp() where ${ofObject(object, sql`o`)} and o.index_since = 'infinity'`)

/** First keys of advisory locks; the object is the second key. One node at a time works on an object. */
const LOCKS = { fill: 740215661, fold: 740215662 } as const

/** Held until the transaction ends. @returns false when another transaction holds the lock */
export async function tryLock(tx: Db, lock: keyof typeof LOCKS, { obj }: ObjectKey): Promise<boolean> {
  const { taken } = await tx.one<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS[lock]}::int, ${obj}::int) as taken`,
  )
  return taken
}

/** Attributes of an object that are not deleted, also inactive ones. A deleted object has none. */
export const selectIndexed = (db: Db, object: ObjectKey) =>
  db.many<IndexedAttribute>(sql`
    select a.attr, a.slug, a.type, a.is_list as "isList", a.index_state as state, a.search_state as search, a.counting,
           a.is_counted as "isCounted", a.keeps_missing as "keepsMissing"
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where ${ofObject(object, sql`a`)} and a.deleted_at is null and o.deleted_at is null order by a.attr`)

/**
 * Locks the object.
 * @returns false when a fold has replaced this work: the new work has not processed any record yet
 */
export async function lockWork(tx: Db, object: ObjectKey, { state, since }: Work): Promise<boolean> {
  const found = await tx.run(sql`
    select from objects o where ${ofObject(object, sql`o`)} and o.deleted_at is null and o.index_state = ${state}
      and o.index_since = ${since}::timestamptz
    for no key update`)
  return found > 0
}

/**
 * Requests to fill in index rows, or with state none to delete them. The work begins after the commit. The transaction
 * must have locked the object.
 */
export const askForWork = (tx: Db, object: ObjectKey, state: IndexState) =>
  tx.run(sql`
    update objects o set index_state = ${state}, index_since = 'infinity', index_last = null, index_seen = 0,
      version = nextval('object_versions')
    where ${ofObject(object, sql`o`)}`)

/** Locks the object. @returns false when it is deleted, or has another state */
export async function lockObjectIn(tx: Db, object: ObjectKey, state: IndexState): Promise<boolean> {
  const found = await tx.run(sql`
    select from objects o where ${ofObject(object, sql`o`)} and o.deleted_at is null and o.index_state = ${state}
    for no key update`)
  return found > 0
}

/** Drops the index. Full scans read the records until the background has built it again. Results do not change. */
export const dropIndex = (db: Db, object: ObjectKey): Promise<void> =>
  db.transaction(async (tx) => {
    await lockObjectRow(tx, object.org, object.obj)
    await tx.run(sql`
      update attributes a set index_state = 'none', search_state = 'none', counting = 'none', is_counted = false,
        keeps_missing = false
      where ${ofObject(object, sql`a`)}`)
    await askForWork(tx, object, 'none')
  })
