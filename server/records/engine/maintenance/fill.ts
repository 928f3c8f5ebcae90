// Backfill: writes the index rows of records that existed before the index, one batch of locked records per
// transaction. The next writer of a record sees these rows; an earlier writer wrote the same rows.
import sql, { join } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { recordsByIds } from '../../../model/objects/record-lookup.ts'
import { valueParts, type Written } from '../index/changed-values.ts'
import { HIGHEST_ID } from '../index/index-keys.ts'
import { indexRowParts } from '../index/index-rows.ts'
import { lockWork, type ObjectKey, ofObject, selectIndexed, type Work } from './work-store.ts'

const BATCH: Written = { name: sql`batch`, after: { data: sql`w.data`, comparable: sql`w.comparable` } }

/** Rows of short texts are written again when search begins, to be marked as searched. */
const isUnfinished = ({ state, search }: IndexedAttribute) => state === 'building' || search === 'building'

/** Locks in the order of ids, as every writer of several records does: this prevents deadlocks. */
async function lockNext(tx: Db, object: ObjectKey, { last }: Work, limit: number): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(sql`
    select r.id from records r where ${ofObject(object, sql`r`)} and r.id > ${last}::uuid
    order by r.id limit ${limit} for no key update`)
  return rows.map(({ id }) => id)
}

async function insertRows(tx: Db, object: ObjectKey, ids: readonly string[]): Promise<void> {
  const attributes = (await selectIndexed(tx, object)).filter(isUnfinished)
  if (attributes.length === 0) return
  const changed = { written: BATCH, attributes }
  const parts = [...valueParts(changed), ...indexRowParts({ org: object.org, ...changed, isFillingIn: true })]
  await tx.run(sql`
    with batch as materialized (
      select r.id, r.data, r.comparable from ${recordsByIds(object, sql`${ids}::uuid[]`)}),
    ${join(parts)}
    select from batch limit 0`)
}

/** All rows are written: from now on the attributes can be read by them. */
async function finish(tx: Db, object: ObjectKey, work: Work): Promise<void> {
  if (!(await lockWork(tx, object, work))) return
  const done = sql`case when a.search_state = 'building' then 'ready' else a.search_state end`
  await tx.run(sql`
    update attributes a set index_state = 'ready', search_state = ${done}
    where ${ofObject(object, sql`a`)} and (a.index_state = 'building' or a.search_state = 'building')`)
  // An object that is being built is counted next.
  const next =
    work.state === 'building'
      ? sql`index_last = ${HIGHEST_ID}::uuid`
      : sql`index_last = null, index_seen = 0, index_since = null`
  await tx.run(sql`
    update objects o set ${next}, version = nextval('object_versions') where ${ofObject(object, sql`o`)}`)
}

/**
 * Fills in the next `limit` records, or finishes if there are none. Call it in a transaction that holds the fill lock.
 */
export async function fillNext(tx: Db, object: ObjectKey, work: Work, limit: number): Promise<void> {
  const ids = await lockNext(tx, object, work, limit)
  const last = ids.at(-1)
  if (last === undefined) return finish(tx, object, work)
  await insertRows(tx, object, ids)
  if (!(await lockWork(tx, object, work))) return
  await tx.run(sql`
    update objects o set index_last = ${last}::uuid, index_seen = o.index_seen + ${ids.length}
    where ${ofObject(object, sql`o`)}`)
}
