// Statements of the trash: they list, restore and purge records.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { nextEvent } from '../../events/sequence.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { becameUniqueAfter, hasUniqueKeys, isCaseChanging } from '../../model/objects/attribute-columns.ts'
import { isKept, purgeTrash } from '../../model/objects/trash-rows.ts'
import { rewriteFrom } from '../../model/objects/value-rewrites.ts'
import { indexInserted } from '../engine/index/index-writes.ts'
import { isCurrent, type StoredRecord, visibleData } from '../rows/stored-record.ts'
import { insertStatement, oneAuthor, WRITTEN } from '../write/statements.ts'
import { type LinkRow, linkRows } from '../write/store.ts'
import type { DeletedElement } from './places.ts'
import type { LiveAttribute, RecordToRestore, TrashRow } from './plan.ts'

/** First half of the key of the advisory lock under which an organization's records are restored. */
const RESTORE_LOCK = 7402157

/** Restorations run one at a time, so that each of two records that refer to each other finds the other one. */
export const lockRestores = (tx: Db, org: number): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(${RESTORE_LOCK}::int, ${org}::int)`)

/** Locks the records among the ids that are in the trash. */
export const lockTrashed = (tx: Db, { org, obj }: ObjectModel, ids: readonly string[]): Promise<TrashRow[]> =>
  tx.many<TrashRow>(sql`
    select t.id, t.data::text as data, t.comparable::text as comparable, t.attrs, t.uniques,
      array(
        select a.attr from attributes a where a.org = t.org and a.obj = t.obj and ${becameUniqueAfter(sql`t.deleted_at`)}
      ) as "uniqueSince" from trash t
    where t.org = ${org} and t.obj = ${obj} and t.id = any(${ids}::uuid[]) and ${isKept} order by t.id for update`)

export const selectLiveAttributes = (tx: Db, { org, obj }: ObjectModel): Promise<LiveAttribute[]> =>
  tx.many<LiveAttribute>(sql`
    select a.attr, a.slug, a.type, a.is_list as "isList", a.config, a.target_obj as "targetObj",
      ${isCaseChanging} as "isCaseChanging", ${hasUniqueKeys} as "isUnique"
    from attributes a where a.org = ${org} and a.obj = ${obj} and a.deleted_at is null`)

/**
 * The records among the ids that are in the trash, of any object. They are locked, so that none is purged before the
 * commit.
 */
export async function findTrashed(tx: Db, org: number, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.many<{ id: string }>(
    sql`select t.id from trash t where t.org = ${org} and t.id = any(${ids}::uuid[]) and ${isKept} order by t.id for share`,
  )
  return new Set(rows.map(({ id }) => id))
}

interface KeptLink extends LinkRow, DeletedElement {}

/** References of the records to targets in the trash. */
export const selectTrashedLinks = (tx: Db, org: number, ids: readonly string[]): Promise<KeptLink[]> =>
  tx.many<KeptLink>(sql`
    select attr, target, id, place from trash_links where org = ${org} and id = any(${ids}::uuid[]) and attr > 0`)

/** Keeps references to records in the trash, so that they return when the targets are restored. */
export const insertAwaited = (tx: Db, org: number, awaited: readonly KeptLink[]) =>
  tx.run(sql`
    insert into trash_links (org, attr, target, id, place)
    select ${org}, attr, target, id, place from unnest(
      ${awaited.map(({ attr }) => attr)}::int[], ${awaited.map(({ target }) => target)}::uuid[],
      ${awaited.map(({ id }) => id)}::uuid[], ${awaited.map(({ place }) => place)}::int[]) as a(attr, target, id, place)
    on conflict (org, target, attr, id) do update set place = excluded.place`)

const planJson = ({ id, dropped, replaced }: RecordToRestore) => ({ id, dropped: [...dropped], replaced })

const insertLinks = (org: number, links: readonly LinkRow[]): Sql => sql`
  insert into links (org, attr, target, id)
  select ${org}, l.attr, l.target, l.id from ${linkRows(links)} where exists (select from written) on conflict do nothing`

/**
 * Moves locked rows of the trash back to the records, with their next version and an event.
 * @param links references of the restored records
 * @throws StaleModel
 */
export async function insertRestoredRecords(
  tx: Db,
  caller: Author,
  model: ObjectModel,
  { returning, links }: { returning: readonly RecordToRestore[]; links: readonly LinkRow[] },
): Promise<StoredRecord[]> {
  const { org, obj } = model
  const ids = returning.map(({ id }) => id)
  // Quiet, so that a workflow does not send a welcome message a second time.
  const statement = insertStatement(oneAuthor({ ...caller, isQuiet: true }, model), {
    before: sql`
      plan as (
        select * from jsonb_to_recordset(${JSON.stringify(returning.map(planJson))}::jsonb)
          as p(id uuid, dropped text[], replaced jsonb)),
      back as (
        delete from trash t using plan p
        where t.org = ${org} and t.id = any(${ids}::uuid[]) and t.obj = ${obj} and p.id = t.id
        returning t.id, t.version, t.event_order, t.deleted_at, t.has_old_values, t.created_by, (t.data - p.dropped) || p.replaced as data,
          nullif(t.comparable - p.dropped, '{}') as comparable),`,
    rows: sql`
      select ${org}, ${obj}, b.id, greatest(clock_timestamp(), b.deleted_at + interval '1 microsecond'), b.version + 1,
        greatest(current_event_order(), b.event_order), b.data, b.comparable, b.created_by
      from back b where ${isCurrent(model)} order by b.id`,
    others: sql`${indexInserted(model, WRITTEN)},
      rewrites as (${rewriteFrom(model, sql`(select id from back where has_old_values)`)}),
      reference_values as (${insertLinks(org, links)})`,
    event: nextEvent(WRITTEN),
    data: visibleData(model, sql`data`),
  })
  const restored = await tx.many<StoredRecord>(statement)
  if (restored.length < returning.length) throw new StaleModel()
  return restored
}

/** Permanently deletes records from the trash. @returns the number of deleted records */
export const deleteTrashed = async (
  db: Db,
  { org, obj }: ObjectModel,
  ids: readonly string[],
): Promise<number> => {
  const rows = sql`
    select t.id from trash t
    where t.org = ${org} and t.obj = ${obj} and t.id = any(${ids}::uuid[]) and ${isKept} order by t.id for update`
  return (await purgeTrash(db, org, rows)).records
}

/** Deletes the kept references to restored records. */
export const deleteKeptLinks = (tx: Db, org: number, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from trash_links where org = ${org} and target = any(${ids}::uuid[])`)

const HOLDERS = 200

/**
 * The ids of the records or activities that referred to the targets, page by page.
 * @param attrs attributes, or the negative numbers of links.attr
 */
export async function* selectReferenceHolders(
  tx: Db,
  org: number,
  attrs: readonly number[],
  targets: readonly string[],
): AsyncGenerator<string[]> {
  await tx.run(sql`
    declare holders no scroll cursor for
    select distinct id from trash_links
    where org = ${org} and attr = any(${attrs}::int[]) and target = any(${targets}::uuid[]) order by id`)
  for (let isMore = true; isMore; ) {
    const page = await tx.many<{ id: string }>(sql`fetch ${raw(String(HOLDERS))} from holders`)
    isMore = page.length === HOLDERS
    if (page.length > 0) yield page.map(({ id }) => id)
  }
  await tx.run(sql`close holders`)
}
