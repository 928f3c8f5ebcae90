// Undoes a merge in one transaction, which a dry run rolls back. Values and references that did not change since the
// merge are restored. A later change is kept and listed as a loss.
import sql from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, notFound } from '../../base/errors.ts'
import { inDryRun } from '../../db/dry-run.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { requireActive } from '../read/record-of.ts'
import { shownRecord } from '../read/shown-record.ts'
import { recordNotFound } from '../read/successor.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import { Losses } from '../trash/losses.ts'
import { restoreIn } from '../trash/restore.ts'
import { lockRestores } from '../trash/store.ts'
import { checkData } from '../validation/values.ts'
import { draftOf, requireValid } from '../write/drafts.ts'
import { deleteMerge, findAnnouncement, type LockedMerge, lockMerge } from '../write/merge-journal.ts'
import { retrying } from '../write/retrying.ts'
import { writePatch } from '../write/service.ts'
import { lockRecords } from '../write/store.ts'
import type { MergeContext } from './context.ts'
import { returnReferences } from './unmerge-references.ts'
import { valuesBefore, withoutMissing } from './unmerge-values.ts'

/** @throws 404 not_found, 409 merged_since */
async function requireMerge(
  tx: Db,
  model: ObjectModel,
  id: string,
): Promise<{ merge: LockedMerge; winner: StoredRecord }> {
  const merge = await lockMerge(tx, model, id)
  if (!merge) throw notFound('merge')
  const later = { mergeId: merge.later }
  if (merge.later !== null)
    throw new AppError(
      'merged_since',
      `This merge is not the last one into its record: undo the later merge ${merge.later} first`,
      later,
    )
  const [winner] = await lockRecords(tx, model, [merge.winner])
  if (!winner) throw await recordNotFound(tx, model, merge.winner)
  return { merge, winner }
}

/** The merged records that are still in the trash, and the merged records that were restored from it. */
async function selectLosers(tx: Db, { org, obj }: ObjectModel, { winner, losers }: LockedMerge) {
  const rows = await tx.many<{ id: string; isLive: boolean }>(sql`
    select t.id, false as "isLive" from trash t
    where t.org = ${org} and t.obj = ${obj} and t.id = any(${losers}::uuid[]) and t.merged_into = ${winner}
      and t.deleted_at > '-infinity'
    union all
    select r.id, true from records r where r.org = ${org} and r.obj = ${obj} and r.id = any(${losers}::uuid[])`)
  const idsOf = (isLive: boolean) => rows.filter((row) => row.isLive === isLive).map(({ id }) => id)
  return { live: idsOf(true), trashed: idsOf(false) }
}

/** Releases unique values of the winner, so that the losers can take them back. */
const releaseUniques = (tx: Db, model: ObjectModel, winner: string, slugs: readonly string[]) =>
  tx.run(sql`
    delete from uniques where org = ${model.org} and id = ${winner}
      and attr = any(${slugs.map((slug) => model.attributes.get(slug)?.attr)}::int[])`)

interface KeptClaims {
  winner: string
  kept: readonly number[]
  losers: readonly string[]
}

/** Releases claims that the winner took over from losers for values that it kept. The losers take these claims back. */
const releaseKept = (tx: Db, { org, obj }: ObjectModel, { winner, kept, losers }: KeptClaims) =>
  tx.run(sql`
    delete from uniques u using trash t cross join lateral jsonb_to_recordset(t.uniques) as h(attr int, value text)
    where t.org = ${org} and t.obj = ${obj} and t.id = any(${losers}::uuid[]) and h.attr = any(${kept}::int[])
      and u.org = ${org} and u.id = ${winner} and u.attr = h.attr and u.value = h.value`)

interface Unmerged {
  winner: StoredRecord
  restoredIds: string[]
  losses: Losses
}

/** @throws 404 not_found, 409 object_inactive, merged_since */
export async function unmergeIn(
  ctx: MergeContext,
  tx: Db,
  { caller, model, id }: { caller: Caller; model: ObjectModel; id: string },
): Promise<Unmerged> {
  requireActive(model)
  await lockRestores(tx, model.org)
  const { merge, winner } = await requireMerge(tx, model, id)
  const { live, trashed } = await selectLosers(tx, model, merge)
  if (live.length + trashed.length === 0)
    throw new AppError(
      'not_found',
      'The merged records were deleted for good, so this merge cannot be undone: create them again',
    )
  const losses = new Losses()
  const { data, locale, kept } = await valuesBefore(tx, caller, model, { winner, merge, losses })
  await releaseUniques(tx, model, winner.id, Object.keys(data))
  if (kept.length > 0) await releaseKept(tx, model, { winner: winner.id, kept, losers: trashed })
  const announced = await findAnnouncement(tx, model, merge)
  const restores = Object.fromEntries(announced === undefined ? [] : trashed.map((one) => [one, announced]))
  const { records } = await restoreIn(ctx, tx, { caller, model, ids: trashed, losses, restores })
  const restoredIds = records.map((record) => record.id)
  const back = new Set([...live, ...restoredIds])
  for (const recordId of merge.losers)
    if (!back.has(recordId)) losses.add('loser_deleted', { recordId, slug: '' })
  const patched = await patchWinner(tx, caller, model, { winner, data, locale, losses })
  const undone = { merge: id, obj: model.obj, winner: winner.id, losers: new Set(merge.losers), back, losses }
  await returnReferences(tx, caller, model, undone)
  for (const hook of ctx.hooks.afterUnmerge) await hook(tx, caller, undone)
  await deleteMerge(tx, { org: model.org, merge: id })
  return { winner: patched, restoredIds, losses }
}

interface WinnerPatch extends Pick<Awaited<ReturnType<typeof valuesBefore>>, 'data' | 'locale'> {
  winner: StoredRecord
  losses: Losses
}

async function patchWinner(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  { winner, data, locale, losses }: WinnerPatch,
): Promise<StoredRecord> {
  if (Object.keys(data).length === 0) return winner
  const draftFor = (values: Record<string, unknown>) =>
    draftOf(model, winner.id, requireValid(checkData('patch', values, model.attributes, locale)))
  const left = await withoutMissing(tx, model, data, { draft: draftFor(data), losses })
  return writePatch(tx, caller, model, { draft: draftFor(left), ifMatch: undefined })
}

/** @returns JSON text shaped as UndoneMerge @throws 404 not_found, 409 object_inactive, merged_since */
export function undoMerge(
  ctx: MergeContext,
  caller: Caller,
  objectRef: string,
  { mergeId, dryRun }: { mergeId: string; dryRun: boolean | undefined },
): Promise<string> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    if (!isUuid(mergeId)) throw notFound('merge')
    const { winner, restoredIds, losses } = await retrying(() =>
      inDryRun(ctx.db, dryRun, (tx) => unmergeIn(ctx, tx, { caller, model, id: mergeId.toLowerCase() })),
    )
    return `{"record":${recordJson(model, shownRecord(caller, winner))},"restoredIds":${JSON.stringify(restoredIds)},"losses":${JSON.stringify(losses.first)},"lossCount":${losses.count}}`
  })
}
