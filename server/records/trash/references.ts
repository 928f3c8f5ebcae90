// Restores references of other records to restored records, at their places if possible. A referring record that is in
// the trash itself gets its references there.
import sql, { empty, type Sql } from 'sql-template-tag'
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import type { LossCode } from '../../../contract/trash.ts'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { nextVersion, timeAfter } from '../../events/sequence.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { indexCleared } from '../engine/index/index-writes.ts'
import { ELEMENTS_MAX } from '../validation/values.ts'
import { type Referrer, selectReferrers } from '../write/delete-store.ts'
import { NO_RESULT, oneAuthor, updateStatement, valueChange, WRITTEN } from '../write/statements.ts'
import { type LinkRow, linkRows, selectUniques } from '../write/store.ts'
import type { Losses } from './losses.ts'
import { type DeletedElement, placed } from './places.ts'
import { selectReferenceHolders } from './store.ts'

export interface ReferenceHolder {
  id: string
  value: string | string[] | null
  /** JSON text of the whole record if it is nearly too large. */
  large: string | null
}

/** A record with its new value, and the targets that the new value adds and removes. */
export interface ReferenceChange {
  id: string
  value: string | string[] | null
  added: Pick<DeletedElement, 'target'>[]
  removed?: string[]
}

/** A deleted element of a record's list, or its deleted single reference. */
interface DeletedReference extends DeletedElement {
  /** The record that referred to it. */
  id: string
  /** Whether its target was just restored. */
  isBack: boolean
}

/** The maximum size of one more element: an id in quotes, and a comma. */
const ELEMENT_BYTES = 40
const NEARLY_FULL = RECORD_BYTES_MAX / 2

const selectDeleted = (
  tx: Db,
  org: number,
  attr: number,
  { holders, ids }: Record<'holders' | 'ids', readonly string[]>,
) =>
  tx.many<DeletedReference>(sql`
    select id, target, place, target = any(${ids}::uuid[]) as "isBack" from trash_links
    where org = ${org} and attr = ${attr} and id = any(${holders}::uuid[])`)

const columnsOf = (slug: string, data: Sql): Sql => sql`
  ${data}->${slug}::text as value,
  case when octet_length(${data}::text) > ${NEARLY_FULL}::int then ${data}::text end as large`

export const lockReferenceHolders = (tx: Db, org: number, { obj, slug }: Referrer, ids: readonly string[]) =>
  tx.many<ReferenceHolder>(sql`
    select r.id, ${columnsOf(slug, sql`r.data`)}
    from ${recordsByIds({ org, obj }, sql`${ids}::uuid[]`, { lock: sql`for no key update` })}`)

export const lockTrashedHolders = (tx: Db, org: number, { obj, slug }: Referrer, ids: readonly string[]) =>
  tx.many<ReferenceHolder>(sql`
    select t.id, ${columnsOf(slug, sql`t.data`)} from trash t
    where t.org = ${org} and t.obj = ${obj} and t.id = any(${ids}::uuid[]) order by t.id for update`)

const changeRows = (changes: readonly ReferenceChange[]) => sql`
  jsonb_to_recordset(${JSON.stringify(changes.map(({ id, value }) => ({ id, value })))}::jsonb) as p(id uuid, value jsonb)`

const removedOf = (attr: number, changes: readonly ReferenceChange[]): LinkRow[] =>
  changes.flatMap(({ id, removed = [] }) => removed.map((target) => ({ id, attr, target })))

/** CTEs that delete the references that the changes remove. */
function withoutRemoved(org: number, { attr, isUnique }: Referrer, changes: readonly ReferenceChange[]): Sql {
  const removed = removedOf(attr, changes)
  if (removed.length === 0) return empty
  const rows = linkRows(removed)
  return sql`
    unlinked as (
      delete from links using ${rows}
      where links.org = ${org} and links.attr = l.attr and links.target = l.target and links.id = l.id),
    ${isUnique ? sql`released as (delete from uniques u using ${rows} where u.org = ${org} and u.attr = l.attr and u.value = l.target::text and u.id = l.id),` : empty}`
}

const linksOf = (attr: number, changes: readonly ReferenceChange[]): LinkRow[] =>
  changes.flatMap(({ id, added }) => added.map(({ target }) => ({ id, attr, target })))

/** Makes an event and a new version only if the attribute is visible, as the deletion of the target does. */
export async function writeHolders(
  tx: Db,
  caller: Author,
  referrer: Referrer,
  changes: readonly ReferenceChange[],
): Promise<void> {
  if (changes.length === 0) return
  const { org } = caller
  const { attr, obj, slug, isIndexed, isShown, isUnique } = referrer
  const rows = linkRows(linksOf(attr, changes))
  const ids = changes.map(({ id }) => id)
  const moved = isShown ? nextVersion(sql`r`) : sql`updated_at = ${timeAfter(sql`r`)}`
  const statement = updateStatement(oneAuthor(caller, referrer), {
    before: sql`plan as (select * from ${changeRows(changes)}),`,
    set: sql`data = r.data || jsonb_build_object(${slug}::text, plan.value), ${moved}`,
    from: sql`${recordsByIds({ org, obj }, sql`${ids}::uuid[]`)} join plan on plan.id = i.id`,
    index: isIndexed ? indexCleared({ org, obj }, WRITTEN) : empty,
    others: sql`
      ${withoutRemoved(org, referrer, changes)}
      linked as (
        insert into links (org, attr, target, id) select ${org}, l.attr, l.target, l.id from ${rows} on conflict do nothing),
      ${isUnique ? sql`held as (insert into uniques (org, attr, value, id) select ${org}, l.attr, l.target::text, l.id from ${rows} on conflict do nothing),` : empty}`,
    changes: valueChange(slug),
    source: sql`written where ${isShown}`,
    result: NO_RESULT,
  })
  await tx.run(statement)
}

export async function writeTrashedHolders(
  tx: Db,
  org: number,
  { attr, slug, isUnique }: Referrer,
  changes: readonly ReferenceChange[],
): Promise<void> {
  if (changes.length === 0) return
  const values = JSON.stringify(
    changes.map(({ id, value, added, removed = [] }) => ({
      id,
      value,
      removed,
      uniques: isUnique ? added.map(({ target }) => ({ attr, value: target })) : [],
    })),
  )
  await tx.run(sql`
    update trash t set data = t.data || jsonb_build_object(${slug}::text, p.value),
      uniques = p.uniques || coalesce((
        select jsonb_agg(u) from jsonb_array_elements(t.uniques) as u
        where (u->>'attr')::int <> ${attr}::int or p.removed is null or not p.removed ? (u->>'value')), '[]'),
      attrs = array(select distinct unnest(t.attrs || ${attr}::int))
    from jsonb_to_recordset(${values}::jsonb) as p(id uuid, value jsonb, removed jsonb, uniques jsonb)
    where t.org = ${org} and t.id = p.id`)
}

/** The number of elements that can still be added to the record. */
function roomOf({ large }: ReferenceHolder, slug: string): number {
  if (large === null) return ELEMENTS_MAX
  const left =
    RECORD_BYTES_MAX - Buffer.byteLength(JSON.stringify(JSON.parse(large))) - `"${slug}":[],`.length
  return Math.max(0, Math.floor(left / ELEMENT_BYTES))
}

/** The new value of the attribute of one record. @param taken the record with the unique reference to each target */
function changeOf(
  { slug, isList }: Referrer,
  holder: ReferenceHolder,
  deleted: readonly DeletedReference[],
  { losses, taken }: { losses: Losses; taken: ReadonlyMap<string, string> },
): ReferenceChange {
  const list = [holder.value ?? []].flat()
  const present = new Set(list)
  const lose = (code: LossCode, { target }: DeletedElement) =>
    losses.add(code, { recordId: target, slug, other: holder.id })
  const back = deleted.filter(({ target, isBack }) => isBack && !present.has(target))
  const free = new Set(back.filter(({ target }) => (taken.get(target) ?? holder.id) === holder.id))
  for (const one of back) if (!free.has(one)) lose('unique_violation', one)
  const limit = isList ? ELEMENTS_MAX : 1
  const max = Math.min(limit, list.length + roomOf(holder, slug))
  const result = placed(list, deleted, { back: (one) => (free.has(one) ? one.target : undefined), max })
  const reason = isList ? 'list_full' : 'reference_changed'
  for (const one of result.lost) lose(max < limit ? 'record_full' : reason, one)
  return { id: holder.id, value: isList ? result.list : (result.list[0] ?? null), added: result.added }
}

/** For a unique attribute: the record that refers to each target, by the id of the target. */
export async function selectTaken(
  tx: Db,
  org: number,
  { attr, isUnique }: Referrer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (!isUnique) return new Map()
  const rows = await selectUniques(
    tx,
    org,
    ids.map((value) => ({ attr, value })),
  )
  return new Map(rows.map(({ value, id }) => [value, id]))
}

interface Restoring {
  caller: Author
  referrer: Referrer
  /** The restored records. */
  ids: readonly string[]
  losses: Losses
}

async function restorePage(
  tx: Db,
  { caller, referrer, ids, losses }: Restoring,
  holders: readonly string[],
): Promise<void> {
  const { org } = caller
  const deleted = Map.groupBy(await selectDeleted(tx, org, referrer.attr, { holders, ids }), ({ id }) => id)
  const taken = await selectTaken(tx, org, referrer, ids)
  const changes = (rows: readonly ReferenceHolder[], isLive: boolean) =>
    rows.flatMap((holder) => {
      const change = changeOf(referrer, holder, deleted.get(holder.id) ?? [], {
        losses,
        taken: isLive ? taken : new Map(),
      })
      if (referrer.isUnique && isLive) for (const { target } of change.added) taken.set(target, holder.id)
      return change.added.length > 0 ? [change] : []
    })
  const live = await lockReferenceHolders(tx, org, referrer, holders)
  const present = new Set(live.map(({ id }) => id))
  const rest = holders.filter((id) => !present.has(id))
  const trashed = rest.length === 0 ? [] : await lockTrashedHolders(tx, org, referrer, rest)
  await writeHolders(tx, caller, referrer, changes(live, true))
  await writeTrashedHolders(tx, org, referrer, changes(trashed, false))
}

/** Restores the references to records that were just restored. @param losses collects the others */
export async function restoreReferences(
  tx: Db,
  model: ObjectModel,
  { caller, ids, losses }: Omit<Restoring, 'referrer'>,
): Promise<void> {
  for (const referrer of await selectReferrers(tx, model)) {
    if (referrer.isDeleted) continue
    for await (const holders of selectReferenceHolders(tx, model.org, [referrer.attr], ids))
      await restorePage(tx, { caller, referrer, ids, losses }, holders)
  }
}
