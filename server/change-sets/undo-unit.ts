// Undoes a merge as a whole, and makes an undone merge again: each in its own transaction.
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import { parseJson } from '../base/json.ts'
import { type ObjectModel, withModel } from '../model/attributes/models.ts'
import { mergeIn } from '../records/merge/service.ts'
import { unmergeIn } from '../records/merge/unmerge.ts'
import type { Losses } from '../records/trash/losses.ts'
import type { Changes } from '../records/undo/change-store.ts'
import { FOR_DELETION, lockRecords } from '../records/write/store.ts'
import type { ReachedUnit } from './changes-store.ts'
import { type FoundConflict, NOTHING, type UndoneWave, type WaveWork } from './undo-wave.ts'
import { findMergeOf, findUndoneMerge, selectUpdatesWith } from './units.ts'

interface UnitWork extends WaveWork {
  model: ObjectModel
  unit: ReachedUnit
}

const refused = (unit: ReachedUnit, code: FoundConflict['code']): UndoneWave => ({
  ...NOTHING,
  conflicts: [{ change: unit, slug: null, code, other: null }],
})

/** The losses of an undone merge. Values of the winner are listed with the update by which the merge changed them. */
async function lossesOf({ tx, model, unit }: UnitWork, { first }: Losses): Promise<FoundConflict[]> {
  // A reference to a record in the trash is no conflict: it returns when that record is restored.
  const lost = first.filter(({ code }) => code !== 'record_in_trash')
  if (lost.length === 0) return []
  const updates = await selectUpdatesWith(tx, model.org, unit.event)
  const byRecord = new Map(updates.map((one) => [one.recordId, one]))
  return lost.map(({ recordId, attributeSlug, code, otherRecordId: other }) => ({
    change: { ...unit, ...(byRecord.get(recordId) ?? { recordId }) },
    slug: attributeSlug === '' ? null : attributeSlug,
    ...{ code, other },
  }))
}

async function undoMerge(work: UnitWork): Promise<UndoneWave> {
  const { ctx, tx, caller, model, unit } = work
  const id = await findMergeOf(tx, { org: model.org, undoing: caller.changeSet }, unit.event)
  if (id === undefined) return refused(unit, 'record_merged')
  const { restoredIds, losses } = await tx.transaction((inner) =>
    unmergeIn(ctx, inner, { caller, model, id }),
  )
  const conflicts = await lossesOf(work, losses)
  return { ...NOTHING, restored: 1, returned: restoredIds.length, conflicts }
}

const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(a ?? null, b ?? null)

/** The values that the winner lost when the merge was undone, and the slugs whose values changed since. */
function valuesOf(now: Readonly<Record<string, unknown>>, changes: readonly string[]) {
  const undone = new Map<string, { from: unknown; to: unknown }>()
  for (const text of changes)
    for (const [slug, { from, to }] of Object.entries(parseJson(text) as Changes))
      undone.set(slug, { from: undone.has(slug) ? undone.get(slug)?.from : from, to })
  const changed = [...undone].flatMap(([slug, { to }]) => (isSame(now[slug], to) ? [] : [slug]))
  const values = [...undone].map(([slug, { from }]) => [
    slug,
    changed.includes(slug) ? (now[slug] ?? null) : (from ?? null),
  ])
  return { values: Object.fromEntries(values) as Record<string, unknown>, changed }
}

async function mergeAgain(work: UnitWork): Promise<UndoneWave> {
  const { ctx, tx, caller, model, unit } = work
  const undone = await findUndoneMerge(tx, model, unit.event)
  if (!undone || undone.losers.length === 0) return refused(unit, 'merge_refused')
  const { winner, losers, missing, changes } = undone
  const locked = await lockRecords(tx, model, [winner, ...losers], FOR_DELETION)
  const stored = locked.find(({ id }) => id === winner)
  if (!stored) return refused({ ...unit, recordId: winner }, 'merge_refused')
  const now = parseJson(stored.data) as Record<string, unknown>
  const { values, changed } = valuesOf(now, changes)
  // Empty values of the winner stay empty, unless the merge had filled them.
  const empty = [...model.attributes.values()].filter(({ slug, isRequired }) => !isRequired && !(slug in now))
  const data = { ...Object.fromEntries(empty.map(({ slug }) => [slug, null])), ...values }
  const body = { winnerId: winner, loserIds: losers, data }
  await tx.transaction((inner) => mergeIn(ctx, inner, { id: newId(), caller, model, winner, losers, body }))
  const [update] = (await selectUpdatesWith(tx, model.org, unit.event)).filter(
    (one) => one.recordId === winner,
  )
  const conflicts = changed.map((slug): FoundConflict => {
    const change = { ...unit, ...(update ?? { recordId: winner }) }
    return { change, slug, code: 'value_changed', other: null }
  })
  for (const recordId of missing)
    conflicts.push({ change: { ...unit, recordId }, slug: null, code: 'merge_refused', other: null })
  return { ...NOTHING, restored: 1, trashed: losers.length, conflicts }
}

const UNDOING = { merge: undoMerge, unmerge: mergeAgain }
const REFUSAL = { merge: 'record_merged', unmerge: 'merge_refused' } as const

/** Merges that cannot be undone or made again are a conflict, and their records stay unchanged. */
export async function undoUnit(work: WaveWork, unit: ReachedUnit): Promise<UndoneWave> {
  const { objectId, kind } = unit
  if (objectId === null) return refused(unit, 'object_unavailable')
  try {
    return await withModel({ ...work.ctx, db: work.tx }, work.caller.org, objectId, async (model) =>
      model.isActive ? UNDOING[kind]({ ...work, model, unit }) : refused(unit, 'object_unavailable'),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return refused(unit, REFUSAL[kind])
  }
}
