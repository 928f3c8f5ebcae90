// Rewrites values that were stored before their form was normalized, because filters normalize their operands. Each
// change gets a version and an event, like any other. The job can stop at any point, and can run on several nodes.
import { isDeepStrictEqual } from 'node:util'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { Author } from '../../base/caller.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { checkData } from '../validation/values.ts'
import type { RecordWriteContext } from '../write/context.ts'
import { draftOf, requireValid } from '../write/drafts.ts'
import { touchedUniques } from '../write/service.ts'
import { type RecordDraft, replaceUniques, selectUniques, uniqueKey, updateRecords } from '../write/store.ts'
import {
  lockRewrite,
  lockUntidy,
  type OldRecord,
  type Rewrite,
  saveRewrite,
  selectRewrites,
  updateComparable,
} from './store.ts'

type Values = Record<string, unknown>

/** The values of one record to rewrite, by slug. */
interface Rewritten {
  /** Values whose stored form changes. */
  changed: Values
  /** Values of which only the compared form changes. */
  compared: Values
}

/** The compared form of a phone number did not include the extension. Nothing else about it has changed. */
const hasNewExtension = (before: unknown, after: unknown): boolean => {
  const [old, now] = [[before].flat(), [after].flat()]
  return now.some((one, index) => one !== old[index] && String(one).startsWith(`${old[index]};ext=`))
}

interface Forms {
  /** The stored value, and its present form. */
  value: unknown
  now: unknown
  /** The stored form for comparison, and its present form. */
  compared: unknown
  comparedNow: unknown
}

/** The part of the record in which a value is rewritten; undefined if the value has the present form. */
function placeOf(type: AttributeType | undefined, forms: Forms): keyof Rewritten | undefined {
  const { value, now, compared, comparedNow } = forms
  // Domains keep the entered text.
  if (type === 'domain') return isDeepStrictEqual(compared ?? value, comparedNow) ? undefined : 'compared'
  if (!isDeepStrictEqual(now, value)) return 'changed'
  return hasNewExtension(compared, comparedNow) ? 'compared' : undefined
}

function rewrittenOf(model: ObjectModel, locale: Rewrite, { data, comparable }: OldRecord): Rewritten {
  const compared = (comparable === null ? {} : parseJson(comparable)) as Values
  const rewritten: Rewritten = { changed: {}, compared: {} }
  for (const [slug, value] of Object.entries(parseJson(data) as Values)) {
    const checked = checkData('patch', { [slug]: value }, model.attributes, locale)
    // The value breaks a newer rule, or its attribute is not active.
    if ('problems' in checked) continue
    const place = placeOf(model.attributes.get(slug)?.type, {
      value,
      now: (parseJson(checked.text) as Values)[slug],
      compared: compared[slug],
      comparedNow: checked.comparable[slug],
    })
    if (place) rewritten[place][slug] = value
  }
  return rewritten
}

function draftFor(model: ObjectModel, locale: Rewrite, id: string, values: Values): RecordDraft | undefined {
  if (Object.keys(values).length === 0) return undefined
  return draftOf(model, id, requireValid(checkData('patch', values, model.attributes, locale)))
}

/** A unique value that two records have after the rewrite. */
interface Conflict {
  attribute: string | undefined
  record: string
  /** The record that already held the value. */
  holder: string
}

/** The conflicts, by unique value. */
async function conflictsOf(
  tx: Db,
  { org, attributes }: ObjectModel,
  { id, uniques }: RecordDraft,
): Promise<Map<string, Conflict>> {
  if (uniques.length === 0) return new Map()
  const slugs = new Map([...attributes.values()].map(({ attr, slug }) => [attr, slug]))
  const held = await selectUniques(tx, org, uniques)
  return new Map(
    held
      .filter((one) => one.id !== id)
      .map((one) => [uniqueKey(one), { attribute: slugs.get(one.attr), record: id, holder: one.id }]),
  )
}

/** Claims the rewritten unique values. If another record holds one already, that record keeps the claim. */
async function claim(tx: Db, model: ObjectModel, drafts: readonly RecordDraft[]): Promise<Conflict[]> {
  const conflicts: Conflict[] = []
  for (const draft of drafts) {
    const taken = await conflictsOf(tx, model, draft)
    const uniques = draft.uniques.filter((one) => !taken.has(uniqueKey(one)))
    await replaceUniques(tx, model.org, [{ ...draft, uniques }], touchedUniques(model, draft))
    conflicts.push(...taken.values())
  }
  return conflicts
}

/** Rewrites the records. @returns conflicts with unique values of other records */
async function write(tx: Db, model: ObjectModel, rewrite: Rewrite, records: readonly OldRecord[]) {
  const needed = records.map((record) => ({ id: record.id, ...rewrittenOf(model, rewrite, record) }))
  const changed = needed.flatMap((one) => draftFor(model, rewrite, one.id, one.changed) ?? [])
  const compared = needed.flatMap((one) => draftFor(model, rewrite, one.id, one.compared) ?? [])
  const conflicts = await claim(tx, model, [...changed, ...compared])
  const author: Author = { org: model.org, userId: null, keyId: null, isQuiet: true }
  if (changed.length > 0) await updateRecords(tx, author, model, changed)
  if (compared.length > 0) await updateComparable(tx, model, compared)
  return conflicts
}

const PAGE = 1000

/** Lists the found conflicts for the organization, in the same transaction. */
type ListConflicts = (tx: Db, object: { org: number; objectId: string }) => Promise<void>

interface Work {
  ctx: RecordWriteContext
  rewrite: Rewrite
  listConflicts: ListConflicts
}

/** @returns conflicts with unique values of other records; undefined if no records are left */
async function rewritePage(
  { rewrite, listConflicts }: Work,
  tx: Db,
  model: ObjectModel,
): Promise<Conflict[] | undefined> {
  const state = await lockRewrite(tx, rewrite)
  if (!state) return undefined
  const attributes = [...model.attributes.values()]
  const { last, records } = await lockUntidy(tx, model, {
    ...{ after: state.after, limit: PAGE },
    hasPhones: attributes.some(({ type }) => type === 'phone_number'),
    domains: attributes.filter(({ type }) => type === 'domain').map(({ slug }) => slug),
  })
  const conflicts = await write(tx, model, rewrite, records)
  await saveRewrite(tx, rewrite, last ?? undefined)
  if (conflicts.length > 0) await listConflicts(tx, rewrite)
  return last === null ? undefined : conflicts
}

/** @returns whether all records were processed before `signal` aborted */
async function rewriteObject(work: Work, signal: AbortSignal): Promise<boolean> {
  const { ctx, rewrite } = work
  const { org, obj, objectId } = rewrite
  while (!signal.aborted) {
    const conflicts = await withModel(ctx, org, objectId, (model) =>
      ctx.db.transaction((tx) => rewritePage(work, tx, model)),
    )
    if (conflicts === undefined) return true
    if (conflicts.length > 0)
      ctx.log.warn({ org, obj, conflicts }, 'unique values of records are the same in their new form')
  }
  return false
}

export async function rewriteValues(
  ctx: RecordWriteContext,
  signal: AbortSignal,
  listConflicts: ListConflicts,
): Promise<void> {
  const failure = 'old values of records could not be rewritten'
  await inTurns(await selectRewrites(ctx.db), { log: ctx.log, signal, failure }, (rewrite, slice) =>
    rewriteObject({ ctx, rewrite, listConflicts }, slice),
  )
}
