// References of other records to restored ones: they get back their places where that is still possible. A record that
// is in the trash itself gets them there.
import sql, { empty } from 'sql-template-tag'
import type { RestoreLoss } from '../../../contract/trash.ts'
import type { ObjectModel } from '../../attributes/models.ts'
import type { Caller } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { eventsFrom } from '../../events/outbox.ts'
import { momentAfter, nextEvent, nextVersion } from '../../events/sequence.ts'
import { recordsByIds } from '../../objects/record-lookup.ts'
import { indexCleared } from '../../query-engine/maintenance/index-writes.ts'
import { type Referrer, selectReferrers } from '../delete-store.ts'
import { visibleData } from '../store.ts'
import { ELEMENTS_MAX } from '../values.ts'
import { type LinkRow, linkRows } from '../write-store.ts'
import { lossOf } from './plan.ts'

/** A reference that was cleared by the deletion of its target. */
interface Kept {
  target: string
  /** The record that referred to it. */
  id: string
  /** In the list, from 1. */
  place: number
}

type Value = string | string[] | null

interface Holder {
  id: string
  value: Value
}

/** A record with its new value, and the targets that this adds. */
interface Change {
  id: string
  value: Value
  added: Kept[]
}

/** @returns the value with the targets at their places; those for which there is none are lost */
export function placed(
  value: Value,
  kept: readonly Kept[],
  isList: boolean,
): { value: Value; added: Kept[]; lost: Kept[] } {
  const elements = [value ?? []].flat()
  const added: Kept[] = []
  const lost: Kept[] = []
  const max = isList ? ELEMENTS_MAX : 1
  for (const one of kept.toSorted((a, b) => a.place - b.place)) {
    if (elements.includes(one.target)) continue
    if (elements.length >= max) lost.push(one)
    else {
      elements.splice(Math.min(one.place - 1, elements.length), 0, one.target)
      added.push(one)
    }
  }
  return { value: isList ? elements : (elements[0] ?? null), added, lost }
}

const selectKept = (tx: Db, org: number, ids: readonly string[]) =>
  tx.many<Kept & { attr: number }>(sql`
    select attr, target, id, place from trash_links
    where org = ${org} and target = any(${ids}::uuid[]) and attr > 0`)

const lockHolders = (tx: Db, org: number, { obj, slug }: Referrer, ids: readonly string[]) =>
  tx.many<Holder>(sql`
    select r.id, r.data->${slug}::text as value
    from ${recordsByIds({ org, obj }, sql`${ids}::uuid[]`, { lock: sql`for no key update` })}`)

const lockTrashedHolders = (tx: Db, org: number, { obj, slug }: Referrer, ids: readonly string[]) =>
  tx.many<Holder>(sql`
    select t.id, t.data->${slug}::text as value from trash t
    where t.org = ${org} and t.obj = ${obj} and t.id = any(${ids}::uuid[]) order by t.id for update`)

const changeRows = (changes: readonly Change[]) => sql`
  jsonb_to_recordset(${JSON.stringify(changes.map(({ id, value }) => ({ id, value })))}::jsonb) as p(id uuid, value jsonb)`

const linksOf = (attr: number, changes: readonly Change[]): LinkRow[] =>
  changes.flatMap(({ id, added }) => added.map(({ target }) => ({ id, attr, target })))

/** As clearing, it makes an event and a new version only where the attribute is shown. */
async function writeHolders(
  tx: Db,
  caller: Caller,
  referrer: Referrer,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return
  const { org } = caller
  const { attr, obj, slug, isIndexed, isShown, isUnique } = referrer
  const rows = linkRows(linksOf(attr, changes))
  const ids = changes.map(({ id }) => id)
  const moved = isShown ? nextVersion(sql`r`) : sql`updated_at = ${momentAfter(sql`r`)}`
  await tx.run(sql`
    with plan as (select * from ${changeRows(changes)}),
    written as (
      update records c set data = r.data || jsonb_build_object(${slug}::text, plan.value), ${moved}
      from ${recordsByIds({ org, obj }, sql`${ids}::uuid[]`)} join plan on plan.id = i.id
      where c.org = ${org} and c.ctid = r.place
      returning c.id, old.data as before, new.data as data, old.updated_at as updated_before, new.updated_at,
        new.version, new.event_order)
    ${isIndexed ? indexCleared({ org, obj }, sql`written`) : empty},
    linked as (
      insert into links (org, attr, target, id) select ${org}, l.attr, l.target, l.id from ${rows} on conflict do nothing),
    ${isUnique ? sql`held as (insert into uniques (org, attr, value, id) select ${org}, l.attr, l.target::text, l.id from ${rows} on conflict do nothing),` : empty}
    ${eventsFrom(
      caller,
      { type: 'record.updated', obj },
      sql`(select ${nextEvent(sql`written`, sql`gen_random_uuid()`)}, id as subject, ${visibleData(referrer, sql`data`)} as data,
             jsonb_build_object(${slug}::text, jsonb_build_object('from', before->${slug}::text, 'to', data->${slug}::text)) as changes
           from written where ${isShown}) as change`,
    )}
    select from event`)
}

async function writeTrashedHolders(
  tx: Db,
  org: number,
  { attr, slug, isUnique }: Referrer,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return
  const values = JSON.stringify(
    changes.map(({ id, value, added }) => ({
      id,
      value,
      uniques: isUnique ? added.map(({ target }) => ({ attr, value: target })) : [],
    })),
  )
  await tx.run(sql`
    update trash t set data = t.data || jsonb_build_object(${slug}::text, p.value), uniques = t.uniques || p.uniques,
      attrs = array(select distinct unnest(t.attrs || ${attr}::int))
    from jsonb_to_recordset(${values}::jsonb) as p(id uuid, value jsonb, uniques jsonb)
    where t.org = ${org} and t.id = p.id`)
}

/** What one attribute of the holders becomes, and what is lost by it. */
function changesOf(
  { slug, isList }: Referrer,
  holders: readonly Holder[],
  keptById: ReadonlyMap<string, Kept[]>,
): { changes: Change[]; losses: RestoreLoss[] } {
  const results = holders.map(({ id, value }) => ({ id, ...placed(value, keptById.get(id) ?? [], isList) }))
  return {
    changes: results.filter(({ added }) => added.length > 0),
    losses: results.flatMap(({ id, lost }) =>
      lost.map(({ target }) =>
        lossOf(isList ? 'list_full' : 'reference_changed', { recordId: target, slug, other: id }),
      ),
    ),
  }
}

async function restoreOne(
  tx: Db,
  caller: Caller,
  referrer: Referrer,
  kept: readonly Kept[],
): Promise<RestoreLoss[]> {
  const { org } = caller
  const keptById = Map.groupBy(kept, ({ id }) => id)
  const ids = [...keptById.keys()]
  const live = await lockHolders(tx, org, referrer, ids)
  const present = new Set(live.map(({ id }) => id))
  const rest = ids.filter((id) => !present.has(id))
  const trashed = rest.length === 0 ? [] : await lockTrashedHolders(tx, org, referrer, rest)
  const ofLive = changesOf(referrer, live, keptById)
  const ofTrashed = changesOf(referrer, trashed, keptById)
  await writeHolders(tx, caller, referrer, ofLive.changes)
  await writeTrashedHolders(tx, org, referrer, ofTrashed.changes)
  return [...ofLive.losses, ...ofTrashed.losses]
}

/** Gives back the references to records that were just restored. @returns those that could not be */
export async function restoreReferences(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  ids: readonly string[],
): Promise<RestoreLoss[]> {
  const kept = Map.groupBy(await selectKept(tx, model.org, ids), ({ attr }) => attr)
  if (kept.size === 0) return []
  const losses: RestoreLoss[] = []
  for (const referrer of await selectReferrers(tx, model)) {
    const own = kept.get(referrer.attr)
    if (own && !referrer.isDeleted) losses.push(...(await restoreOne(tx, caller, referrer, own)))
  }
  return losses
}
