// Restores records from the trash: all in one transaction, which a dry run rolls back.
import type { BulkRestored } from '../../../contract/trash.ts'
import type { Author, Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { inDryRun } from '../../db/dry-run.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { knownIds, requireActive, requireRecordId } from '../read/record-of.ts'
import { shownRecord } from '../read/shown-record.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import { claimValues, releaseValues } from '../write/claims.ts'
import { heldKey, holdersOf, type LinkRow, lockTargets, targetKey, uniqueKey } from '../write/store.ts'
import type { TrashContext } from './context.ts'
import { Losses } from './losses.ts'
import { placesIn } from './places.ts'
import { RecordToRestore } from './plan.ts'
import { type OwnTarget, redirectMerged } from './redirect.ts'
import { restoreReferences } from './references.ts'
import {
  deleteKeptLinks,
  deleteTrashed,
  findTrashed,
  insertAwaited,
  insertRestoredRecords,
  lockRestores,
  lockTrashed,
  selectLiveAttributes,
  selectTrashedLinks,
} from './store.ts'

export interface RestoreResult {
  records: StoredRecord[]
  losses: Losses
}

const targetsOf = (returning: readonly RecordToRestore[]): OwnTarget[] =>
  returning.flatMap((record) => record.targets().map((target) => ({ ...target, record })))

/** Keeps references to records in the trash, with their places among all elements that the attribute had. */
async function noteAwaited(tx: Db, org: number, awaited: readonly OwnTarget[]): Promise<void> {
  const isAwaited = new Set(awaited.map(({ attr, target, record }) => `${attr} ${record.id} ${target}`))
  const records = [...new Set(awaited.map(({ record }) => record))]
  const trashed = Map.groupBy(
    await selectTrashedLinks(
      tx,
      org,
      records.map(({ id }) => id),
    ),
    ({ attr, id }) => `${attr} ${id}`,
  )
  const rows = records.flatMap((record) =>
    [...Map.groupBy(record.targets(), ({ attr }) => attr)].flatMap(([attr, list]) => {
      const places = placesIn(list, trashed.get(`${attr} ${record.id}`) ?? [])
      return list.map(({ target }, index) => ({ attr, target, id: record.id, place: places[index] ?? 1 }))
    }),
  )
  await insertAwaited(
    tx,
    org,
    rows.filter(({ attr, target, id }) => isAwaited.has(`${attr} ${id} ${target}`)),
  )
}

/** Drops references to missing records. References to records in the trash are kept for their restoration. */
async function dropMissing(
  tx: Db,
  { org, obj }: ObjectModel,
  returning: readonly RecordToRestore[],
): Promise<void> {
  const together = new Set(returning.map(({ id }) => targetKey({ targetObj: obj, target: id })))
  const outside = () => targetsOf(returning).filter((target) => !together.has(targetKey(target)))
  await redirectMerged(tx, org, outside())
  const targets = outside()
  const { missing } = await lockTargets(tx, org, [{ links: targets }])
  const lost = targets.filter((target) => missing.has(targetKey(target)))
  const trashed = await findTrashed(
    tx,
    org,
    lost.map(({ target }) => target),
  )
  const awaited = lost.filter(({ target }) => trashed.has(target))
  for (const target of lost)
    if (!trashed.has(target.target)) target.record.dropTarget(target, 'record_deleted')
  if (awaited.length > 0) await noteAwaited(tx, org, awaited)
  for (const target of awaited) target.record.dropTarget(target, 'record_in_trash')
}

/**
 * Takes the unique values back, and drops the value of an attribute if it is taken. Several records may have had the
 * same value, at different times.
 */
async function claimUniques(tx: Db, org: number, returning: readonly RecordToRestore[]): Promise<void> {
  const wanted = returning.flatMap((record) => record.uniques().map((value) => ({ ...value, record })))
  if (wanted.length === 0) return
  const won = await claimValues(tx, org, wanted)
  const wonKeys = new Set(won.map(heldKey))
  const lost = wanted.filter((value) => !wonKeys.has(heldKey(value)))
  if (lost.length === 0) return
  const holders = await holdersOf(tx, org, lost)
  for (const value of lost) {
    const { record, slug } = value
    if (!record.dropped.has(slug))
      record.drop(slug, 'unique_violation', holders.get(uniqueKey(value)) ?? null)
  }
  const unused = wanted.filter((value) => wonKeys.has(heldKey(value)) && value.record.dropped.has(value.slug))
  await releaseValues(tx, org, unused)
}

const linksOf = (returning: readonly RecordToRestore[]): LinkRow[] =>
  targetsOf(returning).map(({ attr, target, record }) => ({ attr, target, id: record.id }))

interface Restoring {
  caller: Author
  model: ObjectModel
  ids: readonly string[]
  losses?: Losses
  /** By record id: the event that the restoration takes back. */
  restores?: Author['restores']
}

export async function restoreIn(
  ctx: TrashContext,
  tx: Db,
  { caller, model, ids, losses = new Losses(), restores }: Restoring,
): Promise<RestoreResult> {
  await lockRestores(tx, model.org)
  const rows = await lockTrashed(tx, model, ids)
  if (rows.length === 0) return { records: [], losses }
  const live = await selectLiveAttributes(tx, model)
  const returning = rows.map((row) => new RecordToRestore(row, live, losses))
  await dropMissing(tx, model, returning)
  await claimUniques(tx, model.org, returning)
  const author = restores === undefined ? caller : { ...caller, restores }
  const records = await insertRestoredRecords(tx, author, model, { returning, links: linksOf(returning) })
  const present = records.map(({ id }) => id)
  await restoreReferences(tx, model, { caller, ids: present, losses })
  const restored = { obj: model.obj, objectId: model.id, ids: present, losses }
  for (const hook of ctx.hooks.afterRestore) await hook(tx, caller, restored)
  await deleteKeptLinks(tx, model.org, present)
  return { records, losses }
}

/** Maximum number of records that return in one batch. */
export const RETURN_BATCH = 100

/** Restores the records that were deleted with an object, active or not. @returns the number of records */
export function returnRecords(
  ctx: TrashContext,
  author: Author,
  objectId: string,
  selectIds: (tx: Db) => Promise<string[]>,
): Promise<number> {
  return withModel(ctx, author.org, objectId, (model) =>
    ctx.db.transaction(async (tx) => {
      const ids = await selectIds(tx)
      return (await restoreIn(ctx, tx, { caller: author, model, ids })).records.length
    }),
  )
}

interface Restoration {
  objectRef: string
  ids: readonly string[]
  dryRun: boolean | undefined
  /** Throws to reject the restoration. */
  check: (restored: RestoreResult) => void
}

async function restore(
  ctx: TrashContext,
  caller: Caller,
  model: ObjectModel,
  { ids, dryRun, check }: Omit<Restoration, 'objectRef'>,
): Promise<RestoreResult> {
  requireActive(model)
  return inDryRun(ctx.db, dryRun, async (tx) => {
    const restored = await restoreIn(ctx, tx, { caller, model, ids })
    check(restored)
    return restored
  })
}

/** @returns JSON text shaped as RestoredRecord @throws 404 not_found, 409 object_inactive */
export function restoreRecord(
  ctx: TrashContext,
  caller: Caller,
  objectRef: string,
  { recordId, dryRun }: { recordId: string; dryRun: boolean | undefined },
): Promise<string> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const ids = [requireRecordId(recordId)]
    const { records, losses } = await restore(ctx, caller, model, {
      ids,
      dryRun,
      check: (restored) => {
        if (restored.records.length === 0) throw notFound('record')
      },
    })
    return `{"record":${records.map((record) => recordJson(model, shownRecord(caller, record))).join()},"losses":${JSON.stringify(losses.first)},"lossCount":${losses.count}}`
  })
}

/** Restores the records that are in the trash. @throws 404 not_found, 409 object_inactive */
export function restoreManyRecords(
  ctx: TrashContext,
  caller: Caller,
  objectRef: string,
  { ids, dryRun }: { ids: readonly string[]; dryRun: boolean | undefined },
): Promise<BulkRestored> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const known = knownIds(ids)
    const { records, losses } = await restore(ctx, caller, model, {
      ids: known,
      dryRun,
      check: () => undefined,
    })
    return { restored: records.length, losses: losses.first, lossCount: losses.count }
  })
}

/** Permanently deletes the records that are in the trash. @throws 404 not_found, 409 object_inactive */
export function purgeRecords(
  ctx: TrashContext,
  caller: Caller,
  objectRef: string,
  ids: readonly string[],
): Promise<number> {
  return withModel(ctx, caller.org, objectRef, (model) => {
    requireActive(model)
    return deleteTrashed(ctx.db, model, knownIds(ids))
  })
}

/** @throws 404 not_found, 409 object_inactive */
export async function purgeRecord(
  ctx: TrashContext,
  caller: Caller,
  objectRef: string,
  recordId: string,
): Promise<string> {
  const id = requireRecordId(recordId)
  if ((await purgeRecords(ctx, caller, objectRef, [id])) === 0) throw notFound('record')
  return id
}
