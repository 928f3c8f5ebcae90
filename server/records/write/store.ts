// Writing records: row, event, unique values and references in one statement each, for any number of rows.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Author, Caller } from '../../base/caller.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { recordOf, recordsByIds } from '../../model/objects/record-lookup.ts'
import { indexUpdated } from '../engine/index/index-writes.ts'
import { microsOf } from '../rows/sorting.ts'
import { isCurrent, type StoredRecord, visibleData } from '../rows/stored-record.ts'
import { MERGE_OF_DRAFTS, oneAuthor, updateStatement, WRITTEN } from './statements.ts'

export interface Link {
  attr: number
  target: string
  targetObj: number
}

export interface UniqueValue {
  attr: number
  value: string
}

export const uniqueKey = ({ attr, value }: UniqueValue): string => `${attr} ${value}`

export const heldKey = ({ attr, value, id }: HeldValue): string => `${attr} ${id} ${value}`

/** A unique value and the record that has it, or will have it. */
export type HeldValue = UniqueValue & { id: string }

/** A record checked and ready to be written. */
export interface RecordDraft {
  id: string
  /** Slugs that the draft sets or clears. */
  slugs: string[]
  /** JSON text of the data: the whole of it for a new record, the changed slugs for an update (null clears). */
  data: string
  /** JSON text of the values that filters compare instead of data; null if there are none. */
  comparable: string | null
  /** Currency values of `data` that an update completes with the record's own currency, by slug. */
  bareAmounts: Readonly<Record<string, JsonValue>> | undefined
  uniques: UniqueValue[]
  links: Link[]
}

/** A referenced record. The object is part of it, because an id by itself could belong to another object. */
export const targetKey = ({ targetObj, target }: Pick<Link, 'targetObj' | 'target'>): string =>
  `${targetObj} ${target}`

/** Different targets of the drafts' references, in the same order for every writer, to prevent deadlocks. */
export function targetsOf(drafts: readonly Pick<RecordDraft, 'links'>[]): Link[] {
  const byTarget = new Map<string, Link>()
  for (const { links } of drafts) for (const link of links) byTarget.set(targetKey(link), link)
  return [...byTarget].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link)
}

const FEW = 4
const TEXT = sql`text`

const toBeEscaped = /["\\]/
const quoted = (text: string) =>
  `"${toBeEscaped.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`

/** An array literal of PostgreSQL. The driver would search numbers and ids for characters to escape too. */
const arrayOf = (type: Sql, values: readonly unknown[]): string =>
  `{${(type === TEXT ? values.map((value) => quoted(String(value))) : values).join(',')}}`

/** Typed columns as a FROM item: a VALUES list for few rows, which is cheaper than unnesting arrays. */
function rowsOf(types: readonly Sql[], columns: readonly (readonly unknown[])[], as: Sql): Sql {
  const [first = []] = columns
  // No rows also use arrays: an empty VALUES list is not valid SQL.
  if (first.length > FEW || first.length === 0) {
    const arrays = types.map((type, column) => sql`${arrayOf(type, columns[column] ?? [])}::${type}[]`)
    return sql`unnest(${join(arrays)}) as ${as}`
  }
  const list = first.map(
    (_, row) => sql`(${join(types.map((type, column) => sql`${columns[column]?.[row]}::${type}`))})`,
  )
  return sql`(values ${join(list)}) as ${as}`
}

const TARGET_TYPES = [sql`int`, sql`uuid`]

/** Locks referenced records, so that none is deleted before this transaction ends, and returns the existing ones. */
export function liveTargets(org: number, targets: readonly Link[]): Sql {
  const [first] = targets
  if (first && targets.length === 1)
    return sql`
      select r.obj as "targetObj", r.id as target from records r
      where r.org = ${org} and r.obj = ${first.targetObj} and r.id = ${first.target}
      for key share of r`
  const columns = [targets.map(({ targetObj }) => targetObj), targets.map(({ target }) => target)]
  return sql`
    select r.obj as "targetObj", r.id as target
    from (select * from ${rowsOf(TARGET_TYPES, columns, sql`t(obj, id)`)} order by t.obj, t.id) as t
    ${recordOf({ org, obj: sql`t.obj` }, sql`t.id`, { lock: sql`for key share` })}
    order by t.obj, t.id`
}

const UNIQUE_TYPES = [sql`int`, TEXT, sql`uuid`]
const LINK_TYPES = [sql`int`, sql`uuid`, sql`uuid`]

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/**
 * The same order for every writer, so that two writers never wait for each other. The oldest record of a value comes
 * first.
 */
export const inLockOrder = (values: readonly HeldValue[]): HeldValue[] =>
  values.toSorted((a, b) => a.attr - b.attr || compare(a.value, b.value) || compare(a.id, b.id))

/** The drafts' unique values. */
export const heldBy = (drafts: readonly RecordDraft[]): HeldValue[] =>
  inLockOrder(drafts.flatMap(({ id, uniques }) => uniques.map((unique) => ({ ...unique, id }))))

/** Unique values as a FROM item `h(attr, value, id)`. */
export const heldRows = (values: readonly HeldValue[]): Sql =>
  rowsOf(
    UNIQUE_TYPES,
    [values.map(({ attr }) => attr), values.map(({ value }) => value), values.map(({ id }) => id)],
    sql`h(attr, value, id)`,
  )

/** `insert into uniques` with the condition `where`; undefined if the drafts have no unique values. */
export function insertUniques(
  org: number,
  drafts: readonly RecordDraft[],
  where: Sql = empty,
): Sql | undefined {
  const values = heldBy(drafts)
  if (values.length === 0) return undefined
  return sql`
    insert into uniques (org, attr, value, id)
    select ${org}, attr, value, id from ${heldRows(values)} ${where}`
}

export interface LinkRow {
  id: string
  attr: number
  target: string
}

/** References as a FROM item `l(attr, target, id)`. */
export const linkRows = (links: readonly LinkRow[]): Sql =>
  rowsOf(
    LINK_TYPES,
    [links.map(({ attr }) => attr), links.map(({ target }) => target), links.map(({ id }) => id)],
    sql`l(attr, target, id)`,
  )

/** `insert into links` with the condition `where`; undefined if the drafts have no references. */
export function insertLinks(
  org: number,
  drafts: readonly RecordDraft[],
  where: Sql = empty,
): Sql | undefined {
  const rows: LinkRow[] = []
  for (const { id, links } of drafts) for (const { attr, target } of links) rows.push({ attr, target, id })
  if (rows.length === 0) return undefined
  return sql`
    insert into links (org, attr, target, id)
    select ${org}, attr, target, id from ${linkRows(rows)} ${where}`
}

/** The drafts as rows (id, data, comparable); one parameter for any number of them. */
export function draftRows(drafts: readonly RecordDraft[]): Sql {
  const [first] = drafts
  if (first && drafts.length === 1)
    return sql`select ${first.id}::uuid as id, ${first.data}::jsonb as data, ${first.comparable}::jsonb as comparable`
  let rows = ''
  for (const { id, data, comparable } of drafts)
    rows += `${rows === '' ? '[' : ','}{"id":"${id}","data":${data},"comparable":${comparable}}`
  return sql`select * from jsonb_to_recordset(${`${rows || '['}]`}::jsonb) as d(id uuid, data jsonb, comparable jsonb)`
}

/** References to missing records, by targetKey. */
export interface MissingTargets {
  missing: Set<string>
}

/** Locks the referenced records for the rest of the transaction and returns the missing ones. */
export async function lockTargets(
  tx: Db,
  org: number,
  drafts: readonly Pick<RecordDraft, 'links'>[],
): Promise<MissingTargets> {
  const targets = targetsOf(drafts)
  if (targets.length === 0) return { missing: new Set() }
  const found = await tx.many<Pick<Link, 'targetObj' | 'target'>>(liveTargets(org, targets))
  return { missing: new Set(targets.map(targetKey)).difference(new Set(found.map(targetKey))) }
}

/** For a change: does not block writers that refer to the record. */
export const FOR_CHANGE = sql`for no key update`
/** For a deletion: waits for every writer that refers to the record, then blocks new ones. */
export const FOR_DELETION = sql`for update`

/** Locks records for writing. @returns the existing ones, with their visible data */
export async function lockRecords(
  tx: Db,
  model: ObjectModel,
  ids: readonly string[],
  strength: Sql = FOR_CHANGE,
): Promise<StoredRecord[]> {
  const rows = await tx.many<StoredRecord & { id: string | null; fresh: boolean }>(sql`
    with found as materialized (
      select r.id, ${microsOf(sql`r.updated_at`)} as micros, r.version, ${visibleData(model)}::text as data
      from ${recordsByIds(model, sql`${ids}::uuid[]`, { lock: strength })} order by i.id)
    select found.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join found on true`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return rows.filter(({ id }) => id !== null)
}

/**
 * Merges drafts into records that meet the conditions. A record that another transaction has changed since the
 * snapshot of the statement is not updated.
 */
function updating(
  author: Author,
  model: ObjectModel,
  drafts: readonly RecordDraft[],
  conditions: readonly Sql[] = [],
): Sql {
  const slugs = new Set(drafts.flatMap((draft) => draft.slugs))
  return updateStatement(oneAuthor(author, model), {
    ...MERGE_OF_DRAFTS,
    before: sql`draft as (${draftRows(drafts)}),`,
    from: sql`draft d ${recordOf(model, sql`d.id`, { conditions })}`,
    index: indexUpdated(model, WRITTEN, slugs),
  })
}

/**
 * Merges the drafts into locked records; a draft that changes nothing writes nothing and makes no event.
 * @returns the changed records, with their visible data
 */
export function updateRecords(
  tx: Db,
  author: Author,
  model: ObjectModel,
  drafts: readonly RecordDraft[],
): Promise<StoredRecord[]> {
  return tx.many<StoredRecord>(updating(author, model, drafts))
}

/**
 * updateRecords for one record that no other transaction has changed since the snapshot, so that the visible index
 * rows match the record. It must be the only statement of its transaction.
 * @param bytesMax maximum size of the stored data
 * @returns undefined if nothing was written; the update with a lock finds the reason
 */
export function updateUnlocked(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  { draft, bytesMax }: { draft: RecordDraft; bytesMax: number },
): Promise<StoredRecord | undefined> {
  const isSmall = sql`octet_length(r.data::text) <= ${bytesMax}::int`
  return db.maybeOne<StoredRecord>(updating(caller, model, [draft], [isCurrent(model), isSmall]))
}

/** Replaces the unique values of attributes in locked records. @throws 23505 when one is taken */
export async function replaceUniques(
  tx: Db,
  org: number,
  drafts: readonly RecordDraft[],
  attrs: readonly number[],
): Promise<void> {
  if (attrs.length === 0) return
  await tx.run(sql`
    delete from uniques where org = ${org} and id = any(${drafts.map(({ id }) => id)}::uuid[]) and attr = any(${attrs}::int[])`)
  const insert = insertUniques(org, drafts)
  if (insert) await tx.run(insert)
}

/** Removes and adds references of locked records. */
export async function replaceLinks(
  tx: Db,
  org: number,
  change: { removed: LinkRow[]; drafts: readonly RecordDraft[] },
): Promise<void> {
  if (change.removed.length > 0)
    await tx.run(sql`
      delete from links using ${linkRows(change.removed)}
      where links.org = ${org} and links.attr = l.attr and links.target = l.target and links.id = l.id`)
  const insert = insertLinks(org, change.drafts)
  if (insert) await tx.run(sql`${insert} on conflict do nothing`)
}

/** The records that hold these unique values. */
export const selectUniques = (db: Db, org: number, values: readonly UniqueValue[]) =>
  db.many<UniqueValue & { id: string }>(sql`
    select u.attr, u.value, u.id from unnest(${values.map(({ attr }) => attr)}::int[], ${values.map(({ value }) => value)}::text[]) as v(attr, value)
    join uniques u on u.org = ${org} and u.attr = v.attr and u.value = v.value`)

/** The ids of the records that hold these unique values, by uniqueKey. */
export async function holdersOf(
  db: Db,
  org: number,
  values: readonly UniqueValue[],
): Promise<Map<string, string>> {
  const held = values.length === 0 ? [] : await selectUniques(db, org, values)
  return new Map(held.map((value) => [uniqueKey(value), value.id]))
}
