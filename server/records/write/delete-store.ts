// Deletes records and clears the references to them, with an event for every record that changes.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import { unavailable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { eventsFrom } from '../../events/outbox.ts'
import { lastEvent, lastVersion, nextVersion, timeAfter } from '../../events/sequence.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { hasUniqueKeys, isBecomingUnique } from '../../model/objects/attribute-columns.ts'
import type { DeletedRecords } from '../../model/objects/deleted-records.ts'
import { keptRecords } from '../../model/objects/kept-records.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { indexCleared, indexDeleted } from '../engine/index/index-writes.ts'
import { type StoredRecord, visibleData } from '../rows/stored-record.ts'
import type { RecordWriteContext } from './context.ts'
import { keptLinks } from './keep-store.ts'
import { notedReferences } from './merge-journal.ts'
import { NO_RESULT, oneAuthor, updateStatement, valueChange, WRITTEN } from './statements.ts'
import { FOR_DELETION, lockRecords } from './store.ts'

interface Deletion {
  caller: Author
  model: ObjectModel
  ids: readonly string[]
  /** Whether the records are deleted permanently instead of being kept in the trash. */
  isPermanent: boolean
  /** The locked winner of a merge, to which references change. */
  successor?: { id: string; merge: string }
  /** Called with the locked records; throws to reject the deletion. */
  check: (locked: readonly StoredRecord[]) => void | Promise<void>
}

/** An attribute whose values are records of the object. */
export interface Referrer {
  attr: number
  obj: number
  slug: string
  isList: boolean
  isUnique: boolean
  isBecomingUnique: boolean
  isDeleted: boolean
  isShown: boolean
  /** Whether clients may have its values: it is visible, or the event that hides it is not written yet. */
  isKnown: boolean
  /** Whether its object has counters. */
  isIndexed: boolean
  hiddenSlugs: string[]
  renaming: ObjectModel['renaming']
}

/** Attributes, active or not, that refer to the object. */
export const selectReferrers = (tx: Db, { org, obj }: ObjectModel) =>
  tx.many<Referrer>(sql`
    select a.attr, a.obj, a.slug, a.is_list as "isList", ${hasUniqueKeys} as "isUnique",
           ${isBecomingUnique} as "isBecomingUnique", a.deleted_at is not null as "isDeleted",
           a.is_active and a.deleted_at is null and o.deleted_at is null as "isShown",
           o.deleted_at is null and ((a.is_active and a.deleted_at is null) or a.shown_change is not null) as "isKnown",
           o.index_state <> 'none' as "isIndexed", o.hidden_slugs as "hiddenSlugs", o.renaming
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.org = ${org} and a.target_obj = ${obj} order by a.attr`)

/**
 * Condition for the records whose reference changes to the successor. A unique attribute allows one such record, or
 * none if a record already refers to the successor. The successor never refers to itself. It is locked, so no other
 * writer takes the unique value before the commit.
 */
async function takingOver(
  tx: Db,
  { org, successor }: { org: number; successor: string | undefined },
  { attr, slug, isUnique, isBecomingUnique }: Referrer,
  ids: readonly string[],
): Promise<Sql | undefined> {
  if (successor === undefined) return undefined
  // `uniques` does not have all keys of this attribute yet.
  if (isBecomingUnique) throw unavailable(`The values of ${slug} are being compared: try again shortly`)
  if (!isUnique) return sql`r.id <> ${successor}::uuid`
  const holder = await tx.maybeOne<{ id: string }>(sql`
    update uniques u set value = ${successor} from (
      select h.value, h.id from uniques h
      where h.org = ${org} and h.attr = ${attr} and h.value = any(${ids}::text[])
        and h.id <> all(${[...ids, successor]}::uuid[])
        and not exists (select from uniques s where s.org = ${org} and s.attr = ${attr} and s.value = ${successor})
      order by h.id limit 1) as first
    where u.org = ${org} and u.attr = ${attr} and u.value = first.value and u.id = first.id
    returning u.id`)
  return holder && sql`r.id = ${holder.id}::uuid`
}

/** The data with the ids replaced by the successor, which a list then contains only once. */
const succeeded = ({ slug, isList }: Referrer, ids: readonly string[], successor: string): Sql => {
  const list = sql`(
    select jsonb_agg(one.element order by one.place) from (
      select n.element, min(n.place) as place from (
        select case when e.element #>> '{}' = any(${ids}::text[]) then to_jsonb(${successor}::text) else e.element end as element, e.place
        from jsonb_array_elements(r.data->${slug}::text) with ordinality as e(element, place)) as n
      group by n.element) as one)`
  return sql`r.data || jsonb_build_object(${slug}::text, ${isList ? list : sql`${successor}::text`})`
}

/** Inserts references to the successor from the records that `written` changed. */
const successorLinks = (org: number, { attr, slug }: Referrer, successor: string): Sql => sql`
    linked as (
      insert into links (org, attr, target, id)
      select ${org}, ${attr}, ${successor}::uuid, w.id from written w
      where w.id <> ${successor}::uuid and w.data->${slug}::text @> to_jsonb(${successor}::text)
      on conflict do nothing),`

/** Removes the targets from one attribute of every referring record, or replaces them by their successor. */
async function clearReferences(
  tx: Db,
  { caller, isPermanent, successor }: Deletion,
  referrer: Referrer,
  ids: readonly string[],
): Promise<number> {
  const { attr, obj, slug, isList, isIndexed } = referrer
  const takes = await takingOver(tx, { org: caller.org, successor: successor?.id }, referrer, ids)
  const kept = sql`(
    select jsonb_agg(element order by place)
    from jsonb_array_elements(r.data->${slug}::text) with ordinality as e(element, place)
    where element #>> '{}' <> all(${ids}::text[]))`
  const cleared = isList
    ? sql`jsonb_strip_nulls(r.data || jsonb_build_object(${slug}::text, ${kept}))`
    : sql`r.data - ${slug}::text`
  const left =
    takes && successor
      ? sql`case when ${takes} then ${succeeded(referrer, ids, successor.id)} else ${cleared} end`
      : cleared
  const { org } = caller
  // The merge itself writes the visible references of the successor, together with its other values.
  const others = successor && referrer.isShown ? [...ids, successor.id] : ids
  const referring = sql`array(
    select l.id from links l where l.org = ${org} and l.attr = ${attr} and l.target = any(${ids}::uuid[]) and l.id <> all(${others}::uuid[]))`
  // Values that no client has are cleared without an event and a new version.
  const moved = referrer.isKnown ? nextVersion(sql`r`) : sql`updated_at = ${timeAfter(sql`r`)}`
  const noted = successor
    ? notedReferences({ org, merge: successor.merge }, referrer, WRITTEN)
    : keptLinks(referrer, WRITTEN, { org, ids })
  // Locks the referring records first, so that the next statement sees their current data. No record starts to refer to
  // the targets, because the targets are locked.
  await tx.run(sql`select from ${recordsByIds({ org, obj }, referring, { lock: sql`for no key update` })}`)
  const statement = updateStatement(oneAuthor(caller, referrer), {
    set: sql`data = ${left}, ${moved}`,
    from: recordsByIds({ org, obj }, referring),
    index: isIndexed ? indexCleared({ org, obj }, WRITTEN) : empty,
    others: sql`
      ${takes && successor ? successorLinks(org, referrer, successor.id) : empty}
      ${isPermanent ? empty : sql`${noted},`}
      unlinked as (delete from links where org = ${org} and attr = ${attr} and target = any(${ids}::uuid[])),`,
    changes: valueChange(slug),
    source: sql`written where ${referrer.isKnown}`,
    result: NO_RESULT,
  })
  return tx.run(statement)
}

/** Deletes the records, their unique values and their own references. The references are found by the data. */
const deleteOwnRows = (tx: Db, { caller, model, isPermanent }: Deletion, ids: readonly string[]) =>
  tx.run(sql`
    with own as (
      select a.attr, a.slug from attributes a
      where a.org = ${model.org} and a.obj = ${model.obj} and a.target_obj is not null),
    deleted as (
      delete from records c using ${recordsByIds(model, sql`${ids}::uuid[]`)}
      where c.org = ${model.org} and c.ctid = r.place
      returning c.id, c.updated_at, c.data, c.comparable, c.created_by, ${lastVersion(sql`c`)})
    ${indexDeleted(model, sql`deleted`)},
    held as (
      select deleted.id, own.attr, target.id as target from deleted, own,
        jsonb_array_elements_text(case jsonb_typeof(deleted.data->own.slug)
          when 'array' then deleted.data->own.slug when 'string' then jsonb_build_array(deleted.data->own.slug) else '[]' end) as target(id)),
    unlinked as (
      delete from links l using held
      where l.org = ${model.org} and l.attr = held.attr and l.target = held.target::uuid and l.id = held.id),
    freed as (delete from uniques where org = ${model.org} and id = any(${ids}::uuid[]) returning attr, value, id),
    ${isPermanent ? empty : sql`${keptRecords(caller, model, ids)},`}
    ${eventsFrom(
      caller,
      { type: 'record.deleted', obj: model.obj },
      sql`(select ${lastEvent(sql`deleted`)}, id as subject, ${visibleData(model, sql`data`)} as data from deleted) as change`,
    )}
    select from event`)

/** Deletes the existing records among the ids, in the caller's transaction. @returns the number of deleted records */
export async function deleteRecords(ctx: RecordWriteContext, tx: Db, deletion: Deletion): Promise<number> {
  const { caller, model, ids, check, isPermanent, successor } = deletion
  const locked = await lockRecords(tx, model, ids, FOR_DELETION)
  await check(locked)
  const present = locked.map(({ id }) => id)
  if (present.length === 0) return 0
  for (const referrer of await selectReferrers(tx, model))
    await clearReferences(tx, deletion, referrer, present)
  const deleted: DeletedRecords = {
    ids: present,
    isPermanent,
    successor: successor && { obj: model.obj, ...successor },
  }
  for (const hook of ctx.hooks.beforeDeletion) await hook(tx, caller, deleted)
  await deleteOwnRows(tx, deletion, present)
  return present.length
}
