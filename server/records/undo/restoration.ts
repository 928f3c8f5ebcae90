// Restores the values of records from before a change: values that did not change since, and values that the caller
// overwrites.
import { isDeepStrictEqual } from 'node:util'
import { conflictMessage, type UndoConflict, type UndoConflictCode } from '../../../contract/undo.ts'
import type { Caller } from '../../base/caller.ts'
import { attempt } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { checkData } from '../validation/values.ts'
import { draftOf, requireValid } from '../write/drafts.ts'
import { withLookups } from '../write/sent-values.ts'
import { replacedLinks, requireSize, touchedUniques } from '../write/service.ts'
import {
  holdersOf,
  lockTargets,
  type RecordDraft,
  replaceLinks,
  replaceUniques,
  targetKey,
  uniqueKey,
  updateRecords,
} from '../write/store.ts'
import type { Change, Changes } from './change-store.ts'

export interface Undoing {
  /** The current record, locked. */
  stored: StoredRecord
  change: Change
  /** Slugs whose earlier value is restored even if the value has changed since. */
  overwrite: ReadonlySet<string>
}

export interface Restoration {
  stored: StoredRecord
  /** Id of the event that is undone. */
  event: string
  draft: RecordDraft
  /** The changes of the restoration, by slug. */
  changes: Changes
  conflicts: UndoConflict[]
}

type Locale = Awaited<ReturnType<typeof withLookups>>

interface Planning {
  model: ObjectModel
  locale: Locale
}

interface Reason {
  code: UndoConflictCode
  other?: string
}

const dataOf = ({ data }: StoredRecord) => parseJson(data) as Record<string, unknown>

const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(a ?? null, b ?? null)

const patchOf = (changes: Changes) =>
  Object.fromEntries(Object.entries(changes).map(([slug, { to }]) => [slug, to ?? null]))

function draftFor({ model, locale }: Planning, id: string, changes: Changes): RecordDraft {
  return draftOf(model, id, requireValid(checkData('patch', patchOf(changes), model.attributes, locale)))
}

/** The conflict that can be found without the database. */
function problemOf(
  { model, locale }: Planning,
  { stored, change, overwrite }: Undoing,
  slug: string,
): UndoConflictCode | undefined {
  if (!model.attributes.has(slug)) return 'attribute_inactive'
  const now = dataOf(stored)[slug]
  const { from = null, to = null } = change.changes[slug] ?? {}
  const valid = (value: unknown) => checkData('patch', { [slug]: value }, model.attributes, locale)
  // Former options mean those that replaced them: the record may have those of either value.
  const means = (checked: ReturnType<typeof valid>) =>
    !('problems' in checked) && isSame(checked.set[slug], now)
  if (!overwrite.has(slug) && !isSame(now, to) && !means(valid(to))) return 'value_changed'
  const earlier = valid(from)
  return 'problems' in earlier || means(earlier) ? 'value_refused' : undefined
}

function conflictOf({ stored, change }: Undoing, slug: string, { code, other }: Reason): UndoConflict {
  const { from = null, to = null } = change.changes[slug] ?? {}
  const current = dataOf(stored)[slug] ?? null
  const message = conflictMessage(slug, code)
  return { attributeSlug: slug, code, from, to, current, otherRecordId: other ?? null, message }
}

function plan(planning: Planning, undoing: Undoing): Restoration {
  const { stored, change } = undoing
  const now = dataOf(stored)
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  const conflicts: UndoConflict[] = []
  for (const [slug, { from }] of Object.entries(change.changes)) {
    if (isSame(now[slug], from)) continue
    const code = problemOf(planning, undoing, slug)
    if (code) conflicts.push(conflictOf(undoing, slug, { code }))
    else changes[slug] = { from: now[slug] ?? null, to: from ?? null }
  }
  const draft = draftFor(planning, stored.id, changes)
  const restoration = { stored, event: change.event, draft, changes, conflicts }
  if (!attempt(() => requireSize(stored, draft))) return restoration
  const refused = new Map(Object.keys(changes).map((slug) => [slug, { code: 'value_refused' } as const]))
  return without(planning, undoing, { restoration, refused })
}

interface Refused {
  restoration: Restoration
  refused: ReadonlyMap<string, Reason>
}

function without(planning: Planning, undoing: Undoing, { restoration, refused }: Refused): Restoration {
  if (refused.size === 0) return restoration
  const changes = Object.fromEntries(
    Object.entries(restoration.changes).filter(([slug]) => !refused.has(slug)),
  )
  const more = [...refused].map(([slug, reason]) => conflictOf(undoing, slug, reason))
  return {
    ...restoration,
    changes,
    draft: draftFor(planning, undoing.stored.id, changes),
    conflicts: [...restoration.conflicts, ...more],
  }
}

/**
 * Conflicts with unique values of other records, and references to missing records. Keeps the existing targets locked.
 */
async function refusedBy(
  tx: Db,
  model: ObjectModel,
  drafts: readonly RecordDraft[],
): Promise<Map<string, Map<string, Reason>>> {
  const slugs = new Map([...model.attributes.values()].map(({ attr, slug }) => [attr, slug]))
  const wanted = drafts.flatMap(({ uniques }) => uniques)
  const holders = await holdersOf(tx, model.org, wanted)
  const { missing } = await lockTargets(tx, model.org, drafts)
  return new Map(
    drafts.map(({ id, uniques, links }) => {
      const refused = new Map<string, Reason>()
      for (const link of links)
        if (missing.has(targetKey(link)))
          refused.set(slugs.get(link.attr) ?? '', { code: 'record_deleted', other: link.target })
      for (const unique of uniques) {
        const holder = holders.get(uniqueKey(unique))
        if (holder !== undefined && holder !== id)
          refused.set(slugs.get(unique.attr) ?? '', { code: 'unique_violation', other: holder })
      }
      return [id, refused]
    }),
  )
}

/** The values of each record that are restored, and the conflicts. The records stay locked. */
export async function planRestorations(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  undoings: readonly Undoing[],
): Promise<Restoration[]> {
  const before = undoings.map(({ change }) =>
    Object.fromEntries(Object.entries(change.changes).map(([slug, { from }]) => [slug, from])),
  )
  const planning = { model, locale: await withLookups(tx, caller, model, before) }
  const planned = undoings.map((undoing) => ({ undoing, restoration: plan(planning, undoing) }))
  const refusals = await refusedBy(
    tx,
    model,
    planned.map(({ restoration }) => restoration.draft),
  )
  return planned.map(({ undoing, restoration }) =>
    without(planning, undoing, { restoration, refused: refusals.get(undoing.stored.id) ?? new Map() }),
  )
}

/** @returns the changed records @throws 23505 when another writer takes a unique value */
export async function writeRestorations(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  restorations: readonly Restoration[],
): Promise<StoredRecord[]> {
  const some = restorations.filter(({ draft }) => draft.slugs.length > 0)
  if (some.length === 0) return []
  const drafts = some.map(({ draft }) => draft)
  for (const draft of drafts) await replaceUniques(tx, model.org, [draft], touchedUniques(model, draft))
  const removed = some.flatMap(({ stored, draft }) => replacedLinks(model, stored, draft))
  await replaceLinks(tx, model.org, { removed, drafts })
  const restores = Object.fromEntries(some.map(({ stored, event }) => [stored.id, event]))
  return updateRecords(tx, { ...caller, restores }, model, drafts)
}
