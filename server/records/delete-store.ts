// Deletes records and clears the references to them, with an event for every record that changes.
import sql, { empty } from 'sql-template-tag'
import type { ObjectModel } from '../attributes/models.ts'
import type { Caller, Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { eventsFrom } from '../events/outbox.ts'
import { lastEvent, lastVersion, momentAfter, nextEvent, nextVersion } from '../events/sequence.ts'
import { keptRecords } from '../objects/kept-records.ts'
import { recordsByIds } from '../objects/record-lookup.ts'
import { indexCleared, indexDeleted } from '../query-engine/maintenance/index-writes.ts'
import { type StoredRecord, visibleData } from './store.ts'
import { keptLinks } from './trash/keep-store.ts'
import { FOR_DELETION, lockRecords } from './write-store.ts'

interface Deletion {
  caller: Caller
  model: ObjectModel
  ids: readonly string[]
  /** Whether the records are deleted for good, instead of being kept in the trash. */
  isPermanent: boolean
  /** Called with the locked records; throws to reject the deletion. */
  check: (locked: readonly StoredRecord[]) => void
}

/** An attribute whose values are records of the object. */
export interface Referrer {
  attr: number
  obj: number
  slug: string
  isList: boolean
  isUnique: boolean
  isDeleted: boolean
  isShown: boolean
  /** Whether its object has counters. */
  isIndexed: boolean
  hiddenSlugs: string[]
}

/** Attributes, active or not, that refer to the object. */
export const selectReferrers = (tx: Db, { org, obj }: ObjectModel) =>
  tx.many<Referrer>(sql`
    select a.attr, a.obj, a.slug, a.is_list as "isList", a.is_unique as "isUnique", a.deleted_at is not null as "isDeleted",
           a.is_active and a.deleted_at is null and o.deleted_at is null as "isShown",
           o.index_state <> 'none' as "isIndexed", o.hidden_slugs as "hiddenSlugs"
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.org = ${org} and a.target_obj = ${obj} order by a.attr`)

/** Removes the targets from one attribute of every record that refers to them. */
async function clearReferences(
  tx: Db,
  { caller, isPermanent }: Deletion,
  referrer: Referrer,
  ids: readonly string[],
): Promise<number> {
  const { attr, obj, slug, isList, isIndexed } = referrer
  const kept = sql`(
    select jsonb_agg(element order by place)
    from jsonb_array_elements(r.data->${slug}::text) with ordinality as e(element, place)
    where element #>> '{}' <> all(${ids}::text[]))`
  const cleared = isList
    ? sql`jsonb_strip_nulls(r.data || jsonb_build_object(${slug}::text, ${kept}))`
    : sql`r.data - ${slug}::text`
  const { org } = caller
  const referring = sql`array(
    select l.id from links l where l.org = ${org} and l.attr = ${attr} and l.target = any(${ids}::uuid[]) and l.id <> all(${ids}::uuid[]))`
  // Values of inactive attributes are not visible, so clearing them makes no event and no new version.
  const moved = referrer.isShown ? nextVersion(sql`r`) : sql`updated_at = ${momentAfter(sql`r`)}`
  // Locks the referring records first, so that the next statement sees their current data. No new ones appear,
  // because the targets are locked.
  await tx.run(sql`select from ${recordsByIds({ org, obj }, referring, { lock: sql`for no key update` })}`)
  return tx.run(sql`
    with written as (
      update records c set data = ${cleared}, ${moved}
      from ${recordsByIds({ org, obj }, referring)}
      where c.org = ${org} and c.ctid = r.place
      returning c.id, old.data as before, new.data as data, old.updated_at as updated_before, new.updated_at,
        new.version, new.event_order)
    ${isIndexed ? indexCleared({ org, obj }, sql`written`) : empty},
    ${isPermanent ? empty : sql`${keptLinks(referrer, sql`written`, { org, ids })},`}
    gone as (delete from links where org = ${org} and attr = ${attr} and target = any(${ids}::uuid[])),
    ${eventsFrom(
      caller,
      { type: 'record.updated', obj },
      sql`(select ${nextEvent(sql`written`, sql`gen_random_uuid()`)}, id as subject, ${visibleData(referrer, sql`data`)} as data,
             jsonb_build_object(${slug}::text, jsonb_build_object('from', before->${slug}::text, 'to', data->${slug}::text)) as changes
           from written where ${referrer.isShown}) as change`,
    )}
    select from event`)
}

/** Deletes the records, their unique values and their own references, which are found by the data. */
const deleteOwnRows = (tx: Db, { caller, model, isPermanent }: Deletion, ids: readonly string[]) =>
  tx.run(sql`
    with own as (
      select a.attr, a.slug from attributes a
      where a.org = ${model.org} and a.obj = ${model.obj} and a.target_obj is not null),
    gone as (
      delete from records c using ${recordsByIds(model, sql`${ids}::uuid[]`)}
      where c.org = ${model.org} and c.ctid = r.place
      returning c.id, c.updated_at, c.data, c.comparable, ${lastVersion(sql`c`)})
    ${indexDeleted(model, sql`gone`)},
    held as (
      select gone.id, own.attr, target.id as target from gone, own,
        jsonb_array_elements_text(case jsonb_typeof(gone.data->own.slug)
          when 'array' then gone.data->own.slug when 'string' then jsonb_build_array(gone.data->own.slug) else '[]' end) as target(id)),
    unlinked as (
      delete from links l using held
      where l.org = ${model.org} and l.attr = held.attr and l.target = held.target::uuid and l.id = held.id),
    freed as (delete from uniques where org = ${model.org} and id = any(${ids}::uuid[]) returning attr, value, id),
    ${isPermanent ? empty : sql`${keptRecords(caller, model, ids)},`}
    ${eventsFrom(
      caller,
      { type: 'record.deleted', obj: model.obj },
      sql`(select ${lastEvent(sql`gone`, sql`gen_random_uuid()`)}, id as subject, ${visibleData(model, sql`data`)} as data from gone) as change`,
    )}
    select from event`)

/** Deletes those of the ids that exist, in the caller's transaction. @returns how many did */
export async function deleteRecords(ctx: Context, tx: Db, deletion: Deletion): Promise<number> {
  const { caller, model, ids, check, isPermanent } = deletion
  const locked = await lockRecords(tx, model, ids, FOR_DELETION)
  check(locked)
  const present = locked.map(({ id }) => id)
  if (present.length === 0) return 0
  for (const referrer of await selectReferrers(tx, model))
    await clearReferences(tx, deletion, referrer, present)
  await ctx.beforeRecordsGo(tx, caller, { ids: present, isPermanent })
  await deleteOwnRows(tx, deletion, present)
  return present.length
}
