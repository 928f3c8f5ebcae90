// Search over all active objects, in a bounded time.
import { namingAttribute } from '../../contract/record-name.ts'
import type { ActivityHit, SearchHit, SearchHits } from '../../contract/search.ts'
import { foldText, hasWords, searchWords } from '../../contract/search-text.ts'
import { selectPage as selectActivities } from '../activities/listing-store.ts'
import { type ObjectModel, withModel } from '../attributes/models.ts'
import type { Caller, Context } from '../context.ts'
import { withinMs } from '../db/time-limit.ts'
import { ifGone, invalid } from '../errors.ts'
import { isStorable, NOT_STORABLE } from '../http/storable.ts'
import { selectObjects } from '../objects/store.ts'
import { nameOr } from '../records/names-store.ts'
import { selectIndexedHits } from './indexed.ts'
import { type Hit, selectHits } from './store.ts'
import { termsOf } from './terms.ts'

type SearchContext = Pick<Context, 'config' | 'db' | 'models'>

const LIMIT_DEFAULT = 20
const ACTIVITIES = 5

/** The value that was found, of a list the element. */
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

/** Nothing when the time was over. */
function searchObject(
  ctx: SearchContext,
  objectId: string,
  { text, limit, caller }: Input,
  ms: number,
): Promise<{ hits: Ranked[]; isComplete: boolean }> {
  return withModel(ctx, caller.org, objectId, async (model) => {
    const terms = termsOf(model, text, caller)
    if (!terms) return { hits: [], isComplete: true }
    const found = await withinMs(
      ctx.db,
      ms,
      async (tx, renew) =>
        (await selectIndexedHits(tx, model, { terms, limit, text, renew })) ??
        selectHits(tx, model, { terms, limit }),
    )
    if (!found) return { hits: [], isComplete: false }
    return { hits: found.hits.map((hit) => rankedHit(model, text, hit)), isComplete: !found.isCut }
  }).catch(ifGone({ hits: [], isComplete: true }))
}

/** The newest activities that have the text; undefined when the time was over. */
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

/**
 * All objects together get QUICK_SEARCH_SECONDS.
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
  const objects = await selectObjects(ctx.db, caller.org)
  const found: Ranked[] = []
  let isComplete = true
  const end = performance.now() + ctx.config.quickSearchSeconds * 1000
  for (const [index, { id }] of objects.entries()) {
    // An equal share of what is left, so that one large object does not hide the others.
    const share = Math.max(1, (end - performance.now()) / (objects.length + 1 - index))
    const object = await searchObject(ctx, id, { text, limit, caller }, share)
    found.push(...object.hits)
    isComplete &&= object.isComplete
  }
  const activities = await searchActivities(
    ctx,
    { text, limit, caller },
    Math.max(1, end - performance.now()),
  )
  return {
    records: found
      .sort(byRank)
      .slice(0, limit)
      .map(({ hit }) => hit),
    activities: activities ?? [],
    isComplete: isComplete && activities !== undefined,
  }
}
