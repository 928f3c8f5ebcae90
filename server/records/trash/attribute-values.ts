// Returns the values of restored attributes to the records, in small batches. A record that has a new value keeps it.
import sql from 'sql-template-tag'
import { CASED } from '../../../contract/cased-types.ts'
import { AppError } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import {
  type ModelAttribute,
  type ObjectModel,
  requireCurrent,
  withModel,
} from '../../model/attributes/models.ts'
import { becameUniqueAfter } from '../../model/objects/attribute-columns.ts'
import { ATTRIBUTES } from '../../model/objects/trashed-definitions.ts'
import { rewriteAgain } from '../../model/objects/value-rewrites.ts'
import { findSuccessors } from '../read/successor.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { allKeysOfStored } from '../values/unique-keys.ts'
import { claimUniques, releaseUniques } from '../write/claims.ts'
import { requireSize } from '../write/service.ts'
import {
  insertLinks,
  lockRecords,
  lockTargets,
  type RecordDraft,
  targetKey,
  updateRecords,
} from '../write/store.ts'
import { keysOfStored } from '../write/stored-keys.ts'
import type { TrashContext } from './context.ts'
import { type RestoredObject, type Returning, returnAll, returnNow } from './returning.ts'

/** A restored attribute with values that are not returned yet. */
interface Restored extends RestoredObject {
  attr: number
}

interface KeptValue {
  id: string
  /** JSON text */
  value: string
  /** JSON text */
  comparable: string | null
  uniques: string[]
  /** Whether the attribute became unique after its deletion. */
  isUniqueSince: boolean
}

const BATCH = 100

const lockValues = (tx: Db, { org, attr }: Restored) =>
  tx.many<KeptValue>(sql`
    select v.id, v.value::text as value, v.comparable::text as comparable, v.uniques,
      exists (
        select from attributes a join trash_attributes t on t.org = a.org and t.attr = a.attr
        where a.org = v.org and a.attr = v.attr and ${becameUniqueAfter(sql`t.deleted_at`)}) as "isUniqueSince"
    from trash_values v
    where v.org = ${org} and v.attr = ${attr} order by v.id limit ${BATCH} for update of v skip locked`)

const deleteValues = (tx: Db, { org, attr }: Restored, ids: readonly string[]) =>
  tx.run(sql`delete from trash_values where org = ${org} and attr = ${attr} and id = any(${ids}::uuid[])`)

/** Runs if no value is left. */
const deleteAttribute = (tx: Db, restored: Restored) => {
  const { org, attr } = restored
  return tx.run(sql`
    with returned as (
      delete from trash_attributes where org = ${org} and attr = ${attr} and is_restored
        and not exists (select from trash_values where org = ${org} and attr = ${attr})
      returning has_old_values)
    ${rewriteAgain(restored, sql`exists (select from returned where has_old_values)`)}`)
}

/** The keys by the current rules: the uniqueness of the attribute, and whether case counts, may have changed. */
function keysOf(
  attribute: ModelAttribute,
  { value, comparable, uniques, isUniqueSince }: KeptValue,
): string[] {
  if (!attribute.isUnique || (uniques.length === 0 && !isUniqueSince)) return []
  const stored = parseJson(value)
  if (CASED.has(attribute.type)) return allKeysOfStored(attribute, stored)
  return isUniqueSince ? keysOfStored(attribute, stored, comparable && JSON.parse(comparable)) : uniques
}

function draftOf(attribute: ModelAttribute, kept: KeptValue): RecordDraft {
  const { attr, slug, targetObj } = attribute
  const { id, value, comparable } = kept
  const targets = targetObj === null ? [] : ([JSON.parse(value)].flat() as string[])
  return {
    id,
    slugs: [slug],
    data: `{${JSON.stringify(slug)}:${value}}`,
    comparable: comparable === null ? null : `{${JSON.stringify(slug)}:${comparable}}`,
    bareAmounts: undefined,
    uniques: keysOf(attribute, kept).map((one) => ({ attr, value: one })),
    links: targets.map((target) => ({ attr, target, targetObj: targetObj ?? 0 })),
  }
}

/** Replaces references to merged records by references to their winners. */
async function redirected(
  tx: Db,
  { org }: ObjectModel,
  { targetObj, isList }: ModelAttribute,
  values: readonly KeptValue[],
): Promise<KeptValue[]> {
  if (targetObj === null) return [...values]
  const targetsOf = ({ value }: KeptValue) => [JSON.parse(value)].flat() as string[]
  const successors = await findSuccessors(tx, { org, obj: targetObj }, values.flatMap(targetsOf))
  const nowOf = (target: string) => {
    const successor = successors.get(target)
    return successor?.isLive ? successor.id : target
  }
  return values.map((kept) => {
    const targets = [...new Set(targetsOf(kept).map(nowOf))]
    const uniques = [...new Set(kept.uniques.map(nowOf))]
    return { ...kept, uniques, value: JSON.stringify(isList ? targets : targets[0]) }
  })
}

/** Removes references to missing records, and values that become empty. */
async function withTargets(
  tx: Db,
  { org }: ObjectModel,
  attribute: ModelAttribute,
  values: readonly KeptValue[],
): Promise<KeptValue[]> {
  const { targetObj, isList } = attribute
  if (targetObj === null) return [...values]
  const { missing } = await lockTargets(
    tx,
    org,
    values.map((kept) => draftOf(attribute, kept)),
  )
  return values.flatMap((kept) => {
    const all = [JSON.parse(kept.value)].flat() as string[]
    const targets = all.filter((target) => !missing.has(targetKey({ targetObj, target })))
    if (targets.length === all.length) return [kept]
    const uniques = kept.uniques.filter((one) => targets.includes(one))
    return targets.length === 0
      ? []
      : [{ ...kept, uniques, value: JSON.stringify(isList ? targets : targets[0]) }]
  })
}

/** Takes unique values, and removes the drafts whose value is taken. */
async function claim(tx: Db, org: number, drafts: readonly RecordDraft[]): Promise<RecordDraft[]> {
  const claimed = await claimUniques(tx, org, drafts)
  await releaseUniques(tx, org, claimed)
  return drafts.filter(({ id }) => !claimed.lost.has(id))
}

function hasRoom(stored: StoredRecord, draft: RecordDraft): boolean {
  try {
    requireSize(stored, draft)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Writes the values of records in the trash. */
const writeTrashed = (
  tx: Db,
  { org, obj }: ObjectModel,
  { attr, slug }: ModelAttribute,
  drafts: readonly RecordDraft[],
) =>
  tx.run(sql`
    update trash t set data = t.data || d.data, comparable = nullif(coalesce(t.comparable, '{}') || d.comparable, '{}'),
      attrs = array(select distinct unnest(t.attrs || ${attr}::int)), uniques = t.uniques || d.uniques
    from jsonb_to_recordset(${`[${drafts
      .map(
        ({ id, data, comparable, uniques }) =>
          `{"id":"${id}","data":${data},"comparable":${comparable ?? '{}'},"uniques":${JSON.stringify(uniques)}}`,
      )
      .join()}]`}::jsonb) as d(id uuid, data jsonb, comparable jsonb, uniques jsonb)
    where t.org = ${org} and t.obj = ${obj} and t.id = d.id and not t.data ? ${slug}::text`)

async function returnValues(
  tx: Db,
  restored: Restored,
  model: ObjectModel,
  attribute: ModelAttribute,
): Promise<number> {
  const values = await lockValues(tx, restored)
  if (values.length === 0) return 0
  const ids = values.map(({ id }) => id)
  const stored = new Map((await lockRecords(tx, model, ids)).map((record) => [record.id, record]))
  const isFree = ({ id }: KeptValue) => {
    const record = stored.get(id)
    return record !== undefined && !Object.hasOwn(JSON.parse(record.data) as object, attribute.slug)
  }
  const current = await redirected(tx, model, attribute, values.filter(isFree))
  const present = await withTargets(tx, model, attribute, current)
  const fitting = present
    .map((kept) => draftOf(attribute, kept))
    .filter((draft) => {
      const record = stored.get(draft.id)
      return record !== undefined && hasRoom(record, draft)
    })
  const drafts = await claim(tx, model.org, fitting)
  if (drafts.length > 0) await updateRecords(tx, { ...restored, isQuiet: true }, model, drafts)
  const links = insertLinks(model.org, drafts)
  if (links) await tx.run(sql`${links} on conflict do nothing`)
  const away = values.filter(({ id }) => !stored.has(id)).map((kept) => draftOf(attribute, kept))
  if (away.length > 0) await writeTrashed(tx, model, attribute, away)
  await deleteValues(tx, restored, ids)
  return values.length
}

/** @returns the number of processed values: 0 if no value is left or the attribute is not active */
const returnBatch = (ctx: TrashContext, restored: Restored): Promise<number> =>
  withModel(ctx, restored.org, restored.objectId, (model) =>
    ctx.db.transaction(async (tx) => {
      const attribute = [...model.attributes.values()].find(({ attr }) => attr === restored.attr)
      if (!attribute) {
        await requireCurrent(tx, model)
        return 0
      }
      const returned = await returnValues(tx, restored, model, attribute)
      if (returned === 0) await deleteAttribute(tx, restored)
      return returned
    }),
  )

const VALUES: Returning<TrashContext, Restored> = {
  kind: ATTRIBUTES,
  returnBatch,
  countLeft: (db, { org, attr }) =>
    db.value<number>(sql`select count(*) as values from trash_values where org = ${org} and attr = ${attr}`),
  failure: 'the values of a restored attribute could not be returned',
}

/** @returns the number of values that are left */
export const restoreValuesNow = (ctx: TrashContext, restored: Restored): Promise<number> =>
  returnNow(VALUES, ctx, restored)

export const restoreAllValues = (ctx: TrashContext, signal: AbortSignal): Promise<void> =>
  returnAll(VALUES, ctx, signal)
