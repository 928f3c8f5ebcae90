// Returns the winner's values from before a merge, except values that changed after the merge.
import { isDeepStrictEqual } from 'node:util'
import type { LossCode } from '../../../contract/trash.ts'
import type { Caller } from '../../base/caller.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import type { Losses } from '../trash/losses.ts'
import { checkData } from '../validation/values.ts'
import { draftOf } from '../write/drafts.ts'
import type { LockedMerge } from '../write/merge-journal.ts'
import { withLookups } from '../write/sent-values.ts'
import { lockTargets, type RecordDraft, selectUniques, targetKey } from '../write/store.ts'

interface ChangedValue {
  attr: number
  slug: string
  before?: unknown
  after?: unknown
}

type Locale = Awaited<ReturnType<typeof withLookups>>

interface Returning {
  winner: StoredRecord
  merge: LockedMerge
  losses: Losses
}

async function problemOf(
  tx: Db,
  model: ObjectModel,
  { winner, locale, now }: { winner: StoredRecord; locale: Locale; now: Record<string, unknown> },
  { attr, slug, before = null, after }: ChangedValue,
): Promise<{ code: LossCode; other?: string } | undefined> {
  if (model.attributes.get(slug)?.attr !== attr) return { code: 'attribute_inactive' }
  if (!isDeepStrictEqual(now[slug], after)) return { code: 'value_changed' }
  const checked = checkData('patch', { [slug]: before }, model.attributes, locale)
  if ('problems' in checked) return { code: 'value_refused' }
  const holders = await selectUniques(tx, model.org, draftOf(model, winner.id, checked).uniques)
  const holder = holders.find(({ id }) => id !== winner.id)
  return holder && { code: 'unique_violation', other: holder.id }
}

const isSame = ({ before, after }: ChangedValue): boolean => isDeepStrictEqual(before, after)

interface Before {
  /** A patch of the winner. Values that cannot be restored are in the losses instead. */
  data: Record<string, unknown>
  locale: Locale
  /** Attributes whose values the merge did not change, but whose unique values may have been claimed by losers. */
  kept: number[]
}

export async function valuesBefore(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  { winner, merge, losses }: Returning,
): Promise<Before> {
  const noted = parseJson(merge.values) as ChangedValue[]
  const now = parseJson(winner.data) as Record<string, unknown>
  // A value may have been restored already, by a user or an undo job.
  const changes = noted.filter((one) => !isSame(one) && !isDeepStrictEqual(now[one.slug], one.before))
  const all = Object.fromEntries(changes.map(({ slug, before = null }) => [slug, before]))
  const locale = await withLookups(tx, caller, model, [all])
  const data: Record<string, unknown> = {}
  for (const change of changes) {
    const problem = await problemOf(tx, model, { winner, locale, now }, change)
    if (!problem) data[change.slug] = change.before ?? null
    else losses.add(problem.code, { recordId: winner.id, slug: change.slug, other: problem.other ?? null })
  }
  const kept = noted.filter((one) => isSame(one) && isDeepStrictEqual(now[one.slug], one.after))
  return { data, locale, kept: kept.map(({ attr }) => attr) }
}

/** Removes references to records that were deleted after the merge. */
export async function withoutMissing(
  tx: Db,
  model: ObjectModel,
  data: Readonly<Record<string, unknown>>,
  { draft, losses }: { draft: RecordDraft; losses: Losses },
): Promise<Record<string, unknown>> {
  const { missing } = await lockTargets(tx, model.org, [draft])
  const left: Record<string, unknown> = { ...data }
  for (const { attr, target, targetObj } of draft.links) {
    if (!missing.has(targetKey({ targetObj, target }))) continue
    const attribute = [...model.attributes.values()].find((one) => one.attr === attr)
    if (!attribute) continue
    const rest = [left[attribute.slug] ?? []].flat().filter((one) => one !== target)
    left[attribute.slug] = rest.length === 0 ? null : attribute.isList ? rest : rest[0]
    losses.add('record_deleted', { recordId: draft.id, slug: attribute.slug, other: target })
  }
  return left
}
