// Searches all active objects within a time limit.
import { namingAttribute } from '../../contract/record-name.ts'
import type { ActivityHit, Incomplete, MissingReason, SearchHit, SearchHits } from '../../contract/search.ts'
import { foldText, hasWords, searchWords } from '../../contract/search-text.ts'
import { selectActivityPage as selectActivities } from '../activities/listing-store.ts'
import { type Caller, mayRead } from '../base/caller.ts'
import { ifNotFound, invalid } from '../base/errors.ts'
import { withinMs } from '../db/time-limit.ts'
import { isStorable, NOT_STORABLE } from '../http/storable.ts'
import { type ObjectModel, withModel } from '../model/attributes/models.ts'
import { selectObjects } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { recordHints } from '../records/names/hints.ts'
import { nameOr } from '../records/names/store.ts'
import { searchObject } from './object-search.ts'
import type { Hit } from './store.ts'
import { termsOf } from './terms.ts'

type SearchContext = Pick<RecordContext, 'config' | 'db' | 'models'>

const LIMIT_DEFAULT = 20
const ACTIVITIES = 5

/** The matching value; of a list, the matching element. */
function shownValue(value: unknown, text: string): string {
  const values = [value].flat().map(String)
  const words = searchWords(text)
  const isFound = (one: string) => hasWords(one, text) || words.some((word) => foldText(one).includes(word))
  return values.find(isFound) ?? values[0] ?? ''
}

interface Ranked {
  hit: SearchHit
  rank: number
  key: string
}

function rankedHit(model: ObjectModel, text: string, { id, name, slug, value, rank, key }: Hit): Ranked {
  const isName = slug === namingAttribute([...model.attributes.values()])?.slug
  const matched = isName ? {} : { matched: { slug, value: shownValue(value, text) } }
  return { hit: { objectId: model.id, recordId: id, name: nameOr(name, id), ...matched }, rank, key }
}

const byRank = (a: Ranked, b: Ranked) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

interface Input {
  text: string
  limit: number
  caller: Caller
}

/** Returns no hits if the object has been deleted. */
function searchIn(
  ctx: SearchContext,
  objectId: string,
  { text, limit, caller }: Input,
  ms: number,
): Promise<{ hits: Ranked[]; missing: MissingReason | undefined }> {
  const nothing = { hits: [], missing: undefined }
  return withModel(ctx, caller.org, objectId, async (model) => {
    const terms = termsOf(model, text, caller)
    if (!terms) return nothing
    const { hits, missing } = await searchObject(ctx.db, model, { terms, text, limit }, ms)
    return { hits: hits.map((hit) => rankedHit(model, text, hit)), missing }
  }).catch(ifNotFound(nothing))
}

/** The newest activities that contain the text; undefined if the time limit was reached. */
async function searchActivities(
  ctx: SearchContext,
  { text, caller: { org } }: Input,
  ms: number,
): Promise<ActivityHit[] | undefined> {
  const span = { position: undefined, limit: ACTIVITIES, offset: 0, count: false }
  const page = await withinMs(ctx.db, ms, (tx) => selectActivities(tx, org, { q: text }, span))
  return page?.found
    .slice(0, ACTIVITIES)
    .map(({ id, type, title, activityDate }) => ({ id, type, title, activityDate }))
}

/** Small objects first: they take little time, and leave the rest of it to the others. */
async function objectsToSearch(ctx: SearchContext, org: number): Promise<string[]> {
  const sized: { id: string; isLarge: boolean }[] = []
  for (const { id } of await selectObjects(ctx.db, org)) {
    const model = await ctx.models.get(ctx.db, org, id).catch(ifNotFound(undefined))
    if (model) sized.push({ id, isLarge: model.index !== undefined })
  }
  return sized.sort((a, b) => Number(a.isLarge) - Number(b.isLarge)).map(({ id }) => id)
}

const withHint = (hit: SearchHit, hint: string | undefined): SearchHit =>
  hint === undefined ? hit : { ...hit, hint }

/** Hints are values of records, and a key that may search may not be allowed to read records. */
async function includeHints(
  ctx: SearchContext,
  caller: Caller,
  hits: readonly SearchHit[],
): Promise<SearchHit[]> {
  if (hits.length === 0 || !mayRead(caller, 'records:read')) return [...hits]
  const hints = await recordHints(ctx, caller.org, hits)
  return hits.map((hit) => withHint(hit, hints.get(hit.recordId)))
}

/** Share of the time limit for the search itself: the rest is for hints and for sending the response. */
const LOOKING_SHARE = 0.8

async function searchWithin(ctx: SearchContext, input: Input, ms: number) {
  const found: Ranked[] = []
  const incomplete: Incomplete[] = []
  const end = performance.now() + ms
  const objects = await objectsToSearch(ctx, input.caller.org)
  for (const [index, objectId] of objects.entries()) {
    // An equal share of the remaining time, so that one large object does not hide the others.
    const share = Math.max(1, (end - performance.now()) / (objects.length + 1 - index))
    const { hits, missing } = await searchIn(ctx, objectId, input, share)
    found.push(...hits)
    if (missing) incomplete.push({ objectId, reason: missing })
  }
  const activities = await searchActivities(ctx, input, Math.max(1, end - performance.now()))
  if (!activities) incomplete.push({ objectId: null, reason: 'time' })
  return { found, activities: activities ?? [], incomplete }
}

/**
 * All objects together have QUICK_SEARCH_SECONDS.
 * @throws 400 invalid_parameter
 */
export async function searchEverything(
  ctx: SearchContext,
  caller: Caller,
  { q, limit = LIMIT_DEFAULT }: { q: string; limit?: number },
): Promise<SearchHits> {
  const text = q.trim()
  if (!isStorable(text))
    throw invalid('invalid_parameter', [{ path: 'q', code: 'invalid_text', message: NOT_STORABLE }])
  const ms = ctx.config.quickSearchSeconds * 1000 * LOOKING_SHARE
  const { found, activities, incomplete } = await searchWithin(ctx, { text, limit, caller }, ms)
  const hits = found.sort(byRank).slice(0, limit)
  const records = await includeHints(
    ctx,
    caller,
    hits.map(({ hit }) => hit),
  )
  return { records, activities, isComplete: incomplete.length === 0, incomplete }
}
