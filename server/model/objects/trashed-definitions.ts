// The trash of definitions, objects and attributes: a deleted one can be restored until it is purged. A DefinitionKind says
// what differs between the two.
import type { Logger } from 'pino'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { Author } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import { isHere } from '../../placement/placement.ts'
import { isSlug } from './store.ts'

export interface DefinitionKind {
  name: 'object' | 'attribute'
  /** The table of those that are deleted. */
  table: Sql
  /** Its column with the number of the definition. */
  number: 'obj' | 'attr'
  /** Its column with the deleted row, as JSON. */
  row: Sql
}

export const OBJECTS: DefinitionKind = {
  name: 'object',
  table: sql`trash_objects`,
  number: 'obj',
  row: sql`object`,
}

export const ATTRIBUTES: DefinitionKind = {
  name: 'attribute',
  table: sql`trash_attributes`,
  number: 'attr',
  row: sql`attribute`,
}

/** Of a row `t`: it is neither restored nor being purged. */
export const isInTrash = sql`not t.is_restored and t.deleted_at > '-infinity'`

/** Columns of a list of rows `t` with the organization `g` and the user `u` who deleted it. */
export const deletionColumns = sql`
  t.id, t.deleted_at as "deletedAt", t.deleted_at + make_interval(days => g.trash_days) as "purgeAt",
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "deletedBy"`

export const deletionJoins = sql`
  join organizations g on g.org = t.org left join users u on u.id = t.deleted_by`

interface Reference {
  /** Conditions on rows `t`: the organization, and the object of an attribute. */
  where: Sql
  /** The id, or the slug, which the last deleted one has. */
  ref: string
  /** `for update` and the like. */
  lock?: Sql | undefined
}

/** @returns the deleted row @throws 404 not_found */
export async function getTrashed<Row>(
  db: Db,
  { name, table, number, row }: DefinitionKind,
  { where, ref, lock = empty }: Reference,
): Promise<Row> {
  const isRef = isUuid(ref) ? sql`t.id = ${ref}::uuid` : sql`t.${row}->>'slug' = ${ref}`
  const found =
    isUuid(ref) || isSlug(ref)
      ? await db.maybeValue<Row>(sql`
          select t.${row} from ${table} t where ${where} and ${isInTrash} and ${isRef}
          order by t.deleted_at desc, t.${raw(number)} desc limit 1 ${lock}`)
      : undefined
  if (!found) throw notFound(name)
  return found
}

const isThis = ({ number }: DefinitionKind, org: number, definition: number): Sql =>
  sql`t.org = ${org} and t.${raw(number)} = ${definition}`

/** From now on what it had returns, in the name of the author. */
export const markRestored = (
  tx: Db,
  kind: DefinitionKind,
  { org, userId, keyId }: Author,
  definition: number,
): Promise<number> =>
  tx.run(sql`
    update ${kind.table} t set is_restored = true, restored_by = ${userId}::uuid, api_key = ${keyId}::uuid
    where ${isThis(kind, org, definition)}`)

/** No request finds it any more; the job purges it. @throws 404 not_found: it was restored meanwhile */
export async function markPurged(
  db: Db,
  kind: DefinitionKind,
  org: number,
  definition: number,
): Promise<void> {
  const marked = await db.run(sql`
    update ${kind.table} t set deleted_at = '-infinity' where ${isThis(kind, org, definition)} and ${isInTrash}`)
  if (marked === 0) throw notFound(kind.name)
}

/** Before a definition is deleted for good: what was still to return from an earlier deletion is purged too. */
export const dropTrashed = (tx: Db, kind: DefinitionKind, org: number, definition: number): Promise<number> =>
  tx.run(sql`
    update ${kind.table} t set deleted_at = '-infinity', is_restored = false where ${isThis(kind, org, definition)}`)

/** When nothing else of it is left. */
export const deletePurged = (
  db: Db,
  kind: DefinitionKind,
  org: number,
  definition: number,
): Promise<number> =>
  db.run(sql`
    delete from ${kind.table} t where ${isThis(kind, org, definition)} and t.deleted_at = '-infinity'`)

/** Those that are being purged, and those that are too old, which are marked; while one is moved, in its new cell. */
const markDue = <Definition>(db: Db, { table, number }: DefinitionKind, now: Date): Promise<Definition[]> =>
  db.many<Definition>(sql`
    update ${table} t set deleted_at = '-infinity' from organizations o
    where o.org = t.org and not t.is_restored
      and t.deleted_at < ${now}::timestamptz - make_interval(days => o.trash_days)
      and ${isHere(sql`o.org`)}
    returning t.org, t.${raw(number)}`)

/**
 * Purges definitions that organizations keep no longer, and those that requests have begun to purge.
 * @param purge removes what is left of one; answers whether it is done
 */
export async function purgeDue<Definition extends { org: number }>(
  { db, log }: { db: Db; log: Logger },
  kind: DefinitionKind,
  { now, signal }: { now: Date; signal: AbortSignal },
  purge: (definition: Definition, signal: AbortSignal) => Promise<boolean>,
): Promise<void> {
  const failure = `a deleted ${kind.name} could not be purged from the trash`
  await inTurns(await markDue<Definition>(db, kind, now), { log, signal, failure }, purge)
}
