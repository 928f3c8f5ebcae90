// Rewrites values that were stored before a rule about their form: filters compare operands in the present form. Each
// change has its version and event, as any other. A job: it may stop anywhere, and run on several nodes.
import { isDeepStrictEqual } from 'node:util'
import { type ObjectModel, withModel } from '../../attributes/models.ts'
import type { Author, Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { roundRobin } from '../../jobs/jobs.ts'
import { parseJson } from '../../json.ts'
import { draftOf, requireValid } from '../drafts.ts'
import { touchedUniques } from '../service.ts'
import { RECORD_TYPES } from '../types.ts'
import { checkData } from '../values.ts'
import { type Draft, replaceUniques, selectUniques, updateRecords } from '../write-store.ts'
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

/** What one record needs, by slug. */
interface Rewritten {
  /** Values in another form. */
  changed: Values
  /** Values that only compare otherwise. */
  compared: Values
}

/** The extension was not part of the compared form. Nothing else is compared otherwise. */
const hasNewExtension = (before: unknown, after: unknown): boolean => {
  const [old, now] = [[before].flat(), [after].flat()]
  return now.some((one, index) => one !== old[index] && String(one).startsWith(`${old[index]};ext=`))
}

function rewrittenOf(model: ObjectModel, locale: Rewrite, { data, comparable }: OldRecord): Rewritten {
  const compared = (comparable === null ? {} : parseJson(comparable)) as Values
  const rewritten: Rewritten = { changed: {}, compared: {} }
  for (const [slug, value] of Object.entries(parseJson(data) as Values)) {
    const checked = checkData('patch', { [slug]: value }, model.attributes, locale)
    // The value is from before another rule, or of an attribute that is not active.
    if ('problems' in checked) continue
    const now = parseJson(checked.text) as Values
    if (!isDeepStrictEqual(now[slug], value)) rewritten.changed[slug] = value
    else if (hasNewExtension(compared[slug], checked.comparable[slug])) rewritten.compared[slug] = value
  }
  return rewritten
}

function draftFor(model: ObjectModel, locale: Rewrite, id: string, values: Values): Draft | undefined {
  if (Object.keys(values).length === 0) return undefined
  return draftOf(model, id, requireValid(checkData('patch', values, model.attributes, locale)))
}

/** Two records can have one value now: the one that had it keeps it, and the other has it without a claim. */
async function withoutTaken(tx: Db, org: number, draft: Draft): Promise<Draft> {
  if (draft.uniques.length === 0) return draft
  const held = await selectUniques(tx, org, draft.uniques)
  const taken = new Set(held.filter(({ id }) => id !== draft.id).map(({ attr, value }) => `${attr} ${value}`))
  return { ...draft, uniques: draft.uniques.filter(({ attr, value }) => !taken.has(`${attr} ${value}`)) }
}

/** @returns how many unique values another record has */
async function claim(tx: Db, model: ObjectModel, drafts: readonly Draft[]): Promise<number> {
  let taken = 0
  for (const draft of drafts) {
    const free = await withoutTaken(tx, model.org, draft)
    taken += draft.uniques.length - free.uniques.length
    await replaceUniques(tx, model.org, [free], touchedUniques(model, draft))
  }
  return taken
}

/** Writes what the records need. @returns how many unique values another record has */
async function write(tx: Db, model: ObjectModel, rewrite: Rewrite, records: readonly OldRecord[]) {
  const needed = records.map((record) => ({ id: record.id, ...rewrittenOf(model, rewrite, record) }))
  const changed = needed.flatMap((one) => draftFor(model, rewrite, one.id, one.changed) ?? [])
  const compared = needed.flatMap((one) => draftFor(model, rewrite, one.id, one.compared) ?? [])
  const taken = await claim(tx, model, [...changed, ...compared])
  const author: Author = { org: model.org, userId: null, keyId: null, isQuiet: true }
  if (changed.length > 0) await updateRecords(tx, author, model, changed)
  if (compared.length > 0) await updateComparable(tx, model, compared)
  return taken
}

const PAGE = 1000

/** @returns how many unique values another record has; undefined: all records were seen */
async function rewritePage(tx: Db, model: ObjectModel, rewrite: Rewrite): Promise<number | undefined> {
  const state = await lockRewrite(tx, rewrite)
  if (!state) return undefined
  const hasPhones = [...model.attributes.values()].some(({ type }) => RECORD_TYPES[type].hasComparable)
  const { last, records } = await lockUntidy(tx, model, { after: state.after, limit: PAGE, hasPhones })
  const taken = await write(tx, model, rewrite, records)
  await saveRewrite(tx, rewrite, last ?? undefined)
  return last === null ? undefined : taken
}

/** @returns whether it ended before `signal` said stop */
async function rewriteObject(ctx: Context, rewrite: Rewrite, signal: AbortSignal): Promise<boolean> {
  const { org, obj, objectId } = rewrite
  while (!signal.aborted) {
    const taken = await withModel(ctx, org, objectId, (model) =>
      ctx.db.transaction((tx) => rewritePage(tx, model, rewrite)),
    )
    if (taken === undefined) return true
    if (taken > 0)
      ctx.log.warn({ org, obj, taken }, 'unique values of records are the same in their new form')
  }
  return false
}

/** How long one object is worked on before the next. */
const SLICE_MS = 5000

export async function rewriteValues(ctx: Context, signal: AbortSignal): Promise<void> {
  await roundRobin(await selectRewrites(ctx.db), { sliceMs: SLICE_MS, signal }, async (rewrite, slice) => {
    try {
      return await rewriteObject(ctx, rewrite, slice)
    } catch (error) {
      const { org, obj } = rewrite
      ctx.log.error({ err: error, org, obj }, 'old values of records could not be rewritten')
      return true
    }
  })
}
