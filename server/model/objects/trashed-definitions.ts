// The trash of definitions, that is objects and attributes: a deleted definition can be restored until it is purged. A
// DefinitionKind contains the differences between the two.
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
  /** The table of deleted definitions. */
  table: Sql
  /** The column with the number of the definition. */
  number: 'obj' | 'attr'
  /** The column with the deleted row, as JSON. */
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

/** Condition on a row `t`: it is neither restored nor being purged. */
export const isInTrash = sql`not t.is_restored and t.deleted_at > '-infinity'`

/** Columns of a list of rows `t`, with the organization `g` and the user `u` who deleted the definition. */
export const deletionColumns = sql`
  t.id, t.deleted_at as "deletedAt", t.deleted_at + make_interval(days => g.trash_days) as "purgeAt",
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "deletedBy"`

export const deletionJoins = sql`
  join organizations g on g.org = t.org left join users u on u.id = t.deleted_by`

interface Reference {
  /** Conditions on rows `t`: the organization, and the object of an attribute. */
  where: Sql
  /** The id, or the slug. If several deleted definitions have the slug, the last deleted one. */
  ref: string
  /** A locking clause, such as `for update`. */
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

/** Marks the definition as restored by the author: the job then returns its data. */
export const markRestored = (
  tx: Db,
  kind: DefinitionKind,
  { org, userId, keyId }: Author,
  definition: number,
): Promise<number> =>
  tx.run(sql`
    update ${kind.table} t set is_restored = true, restored_by = ${userId}::uuid, api_key = ${keyId}::uuid
    where ${isThis(kind, org, definition)}`)

/** Hides the definition from requests; the job purges it. @throws 404 not_found if it has been restored */
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

/** Runs before a permanent deletion: data that an earlier restoration has not returned yet is purged too. */
export const dropTrashed = (tx: Db, kind: DefinitionKind, org: number, definition: number): Promise<number> =>
  tx.run(sql`
    update ${kind.table} t set deleted_at = '-infinity', is_restored = false where ${isThis(kind, org, definition)}`)

/** Runs if no other data of the definition is left. */
export const deletePurged = (
  db: Db,
  kind: DefinitionKind,
  org: number,
  definition: number,
): Promise<number> =>
  db.run(sql`
    delete from ${kind.table} t where ${isThis(kind, org, definition)} and t.deleted_at = '-infinity'`)

/**
 * Marks definitions that are too old.
 * @returns these and those that are already being purged, without organizations whose data is in another cell
 */
const markDue = <Definition>(db: Db, { table, number }: DefinitionKind, now: Date): Promise<Definition[]> =>
  db.many<Definition>(sql`
    update ${table} t set deleted_at = '-infinity' from organizations o
    where o.org = t.org and not t.is_restored
      and t.deleted_at < ${now}::timestamptz - make_interval(days => o.trash_days)
      and ${isHere(sql`o.org`)}
    returning t.org, t.${raw(number)}`)

/**
 * Purges definitions after the retention period of their organization, and definitions that requests have marked.
 * @param purge removes the data of a definition and returns whether nothing is left
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
