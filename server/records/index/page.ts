// A page of a large object and its total: what is known is measured, the planner chooses, a statement reads.
import sql from 'sql-template-tag'
import { STALE } from '../../attributes/models.ts'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import type { Db } from '../../db/pool.ts'
import type { Page, PageQuery } from '../store.ts'
import { type Look, readHead } from './head.ts'
import { isMany } from './keys.ts'
import { firstIds } from './ladder.ts'
import { type Indexed, isCapped, type Measured, measure, type Prepared, prepare } from './measure.ts'
import { costOf, countFor, isNothing, type Way, waysTo } from './planner.ts'
import type { Probe } from './probes.ts'
import { type Found, joined, NO_TOTAL, NOTHING, readRows } from './read-rows.ts'
import { type SetPage, setPageOf } from './sets.ts'
import { countQuery } from './totals.ts'
import { readAll } from './unfiltered.ts'
import {
  gatherRecords,
  keysPassed,
  orderOf,
  type Question,
  scanRecords,
  walkIds,
  walkKeys,
  walkMissing,
  walkRecords,
} from './ways.ts'

const sortedBy = ({ index }: Indexed, { sort }: PageQuery): IndexedAttribute | undefined => {
  const kept = index.attributes.get(sort.field)
  return sort.key && kept?.state === 'ready' && !isMany(kept) ? kept : undefined
}

export const questionOf = (model: Indexed, query: PageQuery): Question => ({
  model,
  filters: query.filters,
  sort: query.sort,
  sortedBy: sortedBy(model, query),
  position: query.position,
  rows: query.limit + 1,
  offset: query.offset,
  idsAlone: query.idsAlone,
})

/** No record with a value is asked for. */
const isOfMissing = ({ filters, position }: Question, by: IndexedAttribute) =>
  position?.key === null ||
  filters.some(({ leaf }) => leaf?.operator === 'isEmpty' && leaf.attribute.slug === by.slug)

/** Along the keys, then on among the records without a value. */
async function readKeys(
  db: Db,
  model: Indexed,
  question: Question,
  { by, bound }: { by: IndexedAttribute; bound: number | undefined },
): Promise<Found | typeof STALE> {
  const isAmongMissing = isOfMissing(question, by)
  const keyed = isAmongMissing ? NOTHING : await readRows(db, model, { rows: walkKeys(question, by, bound) })
  // Rows of those without a value have no bound: there another way is the sure one.
  const isBounded = bound !== undefined && (!isAmongMissing || by.keepsMissing)
  if (keyed === STALE || keyed.records.length === question.rows || isBounded) return keyed
  const passed =
    keyed.records.length > 0 || isAmongMissing || question.offset === 0
      ? question.offset * Number(!isAmongMissing)
      : (await db.one<{ count: number }>(keysPassed(question, by))).count
  const rest = {
    ...question,
    rows: question.rows - keyed.records.length,
    offset: question.offset - passed,
  }
  const missing = await readRows(db, model, { rows: walkMissing(rest, by, bound) })
  if (missing === STALE) return STALE
  return joined(keyed, missing)
}

/** The rows of one way, whether it is the cheapest or not. */
export function readWay(
  db: Db,
  model: Indexed,
  question: Question,
  { way, prepared }: { way: Way; prepared: readonly Prepared[] },
): Promise<Found | typeof STALE> {
  if (way.way === 'nothing') return Promise.resolve(NOTHING)
  const { sortedBy: by } = question
  if (way.way === 'walk') {
    if (by) return readKeys(db, model, question, { by, bound: way.bound })
    const isOrdered = orderOf(question) !== 'none'
    return readRows(db, model, { rows: isOrdered ? walkRecords(question, way.bound) : scanRecords(question) })
  }
  const probe = prepared[way.filter]?.probe
  if (!probe) throw new Error('The planner chose index rows that are not there')
  const isAlone = prepared.length === 1 && probe.isExact && orderOf(question) === 'id'
  if (way.way === 'along')
    return readRows(db, model, { rows: walkIds(question, probe, { bound: way.bound, isAlone }) })
  if (!isAlone) return readRows(db, model, { rows: gatherRecords(question, probe) })
  const ids = way.bound === undefined ? probe.ids : firstIds(question, probe, way.bound)
  return readRows(db, model, { rows: walkIds(question, { ...probe, ids }, { isAlone }) })
}

export const waysFor = (question: Question, { records, facts }: Measured): Way[] =>
  waysTo({
    records,
    filters: facts,
    order: orderOf(question),
    until: question.offset + question.rows,
  })

/** What is tried for a page: ways that the planner knows, and the page out of indexes alone. */
export type Step = Way | { way: 'set'; filter: 0; cost: number; page: SetPage }

/** A filter that is gone through once, for the page and for the total. */
export interface Once {
  way: 'once'
  filter: 0
}

/** Hears of the ways to a page in their order: those that are taken, when they are, and then those that were not needed. */
export type Listener = (way: Step | Look | Once, isTaken: boolean) => void

/** The cheapest first; the last finds everything. */
export function stepsTo(
  model: Indexed,
  question: Question,
  { prepared, measured }: { prepared: readonly Prepared[]; measured: Measured },
): Step[] {
  const ways = waysFor(question, measured)
  const page = setPageOf(model, question, { prepared, measured })
  const sure = ways.at(-1)
  if (!page || !sure || page.cost >= costOf(sure)) return ways
  const cheaper = ways.filter((way) => costOf(way) <= page.cost)
  return [...cheaper, { way: 'set', filter: 0, cost: page.cost, page }, ...(page.isProven ? [sure] : [])]
}

interface Choices {
  steps: readonly Step[]
  prepared: readonly Prepared[]
  /** Records there are from the offset on, as far as is known. */
  left: number
  tell: Listener | undefined
}

/** Goes the cheapest way; when it ends before the page is full, the next. */
async function readPage(
  db: Db,
  model: Indexed,
  question: Question,
  { steps, prepared, left, tell }: Choices,
): Promise<Found | typeof STALE> {
  let found: Found | typeof STALE = NOTHING
  for (const [place, step] of steps.entries()) {
    tell?.(step, true)
    found =
      step.way === 'set'
        ? await readRows(db, model, step.page)
        : await readWay(db, model, question, { way: step, prepared })
    if (found === STALE) return STALE
    if (found.records.length < Math.min(question.rows, left)) continue
    for (const further of steps.slice(place + 1)) tell?.(further, false)
    return found
  }
  return found
}

/** A filter that only index rows can count is gone through once for both. */
function readAlone(
  db: Db,
  model: Indexed,
  question: Question,
  { probe: { ids, isOrdered, isExact }, isCounted }: { probe: Probe; isCounted: boolean },
) {
  const hits = { ids: sql`select id from hits`, isOrdered, isExact }
  return readRows(db, model, {
    before: sql`with hits as materialized (${ids})`,
    total: isCounted ? sql`select count(*) from hits` : NO_TOTAL,
    rows: walkIds(question, hits, { isAlone: true }),
  })
}

interface Filtered {
  prepared: readonly Prepared[]
  isCounted: boolean
  tell: Listener | undefined
}

async function readFiltered(
  db: Db,
  model: Indexed,
  question: Question,
  { prepared, isCounted, tell }: Filtered,
): Promise<Found | typeof STALE> {
  const measured = await measure(db, model, prepared)
  if (measured === STALE) return STALE
  const { facts } = measured
  const isManifold = !isCounted && prepared.some((one, place) => isCapped(one, facts[place]))
  const head = isManifold ? await readHead(db, model, question, { prepared, tell }) : undefined
  if (head) return head
  const [only] = facts
  const known = facts.length === 1 && only?.isExact ? only.found : undefined
  const total = await totalOf(db, model, prepared, {
    measured,
    known,
    isCounted,
    isNothing: isNothing(facts),
  })
  const steps = stepsTo(model, question, { prepared, measured: withTotal(measured, total) })
  // Of a page after a cursor it is not known how much is left.
  const left = question.position || total === null ? Number.POSITIVE_INFINITY : total - question.offset
  if (left <= 0) {
    tell?.({ way: 'nothing' }, true)
    return { ...NOTHING, total }
  }
  const page = await readPage(db, model, question, { steps, prepared, left, tell })
  return page === STALE ? STALE : { ...page, total }
}

/** Of a single filter the total tells how many meet it, where they were only counted up to a bound before. */
const withTotal = (measured: Measured, total: number | null): Measured =>
  total === null || measured.facts.length > 1
    ? measured
    : { ...measured, facts: measured.facts.map((one) => ({ ...one, found: total, isExact: true })) }

interface Totalled {
  measured: Measured
  known: number | undefined
  isCounted: boolean
  isNothing: boolean
}

async function totalOf(
  db: Db,
  model: Indexed,
  prepared: readonly Prepared[],
  { measured, known, isCounted, isNothing }: Totalled,
): Promise<number | null> {
  if (known !== undefined) return known
  if (isNothing) return 0
  if (!isCounted) return null
  const count = countFor({ records: measured.records, filters: measured.facts })
  return (await db.one<{ count: number }>(countQuery(model, prepared, count))).count
}

async function findPage(
  db: Db,
  model: Indexed,
  query: PageQuery,
  tell: Listener | undefined,
): Promise<Found | typeof STALE> {
  const question = questionOf(model, query)
  const prepared = prepare(model, query.filters)
  const [first] = prepared
  if (!first) return readAll(db, model, question, { isCounted: query.count })
  const isSearch = prepared.some(({ sum, probe }) => !sum && probe?.isSearch)
  const head = isSearch && !query.count ? await readHead(db, model, question, { prepared, tell }) : undefined
  if (head) return head
  const isAlone = prepared.length === 1 && !first?.sum && first?.probe?.isExact && orderOf(question) === 'id'
  if (isAlone && first.probe && (query.count || isSearch)) {
    tell?.({ way: 'once', filter: 0 }, true)
    return readAlone(db, model, question, { probe: first.probe, isCounted: query.count })
  }
  // What is measured, counted and read is of one moment.
  return db.snapshot((tx) => readFiltered(tx, model, question, { prepared, isCounted: query.count, tell }))
}

/** As store.ts scanPage, for an object whose index is complete. */
export async function selectIndexedPage(
  db: Db,
  model: Indexed,
  query: PageQuery,
  tell?: Listener,
): Promise<Page | typeof STALE> {
  const page = await findPage(db, model, query, tell)
  if (page === STALE) return STALE
  const { records: found, keys, total } = page
  const records = found.slice(0, query.limit)
  const last = found.length > query.limit ? records.at(-1) : undefined
  return {
    records,
    total: query.count ? (total ?? undefined) : undefined,
    next: last && { key: keys[query.limit - 1] ?? null, id: last.id },
  }
}
