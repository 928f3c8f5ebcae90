// A look at the first records in order, where it is not known how many meet the filters, and index rows give all of
// them or none: where many meet them, the page is among the first.
import { STALE } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import type { RecordFilter } from '../filters.ts'
import type { StoredRecord } from '../store.ts'
import type { Indexed, Prepared } from './measure.ts'
import { PASSED_BY } from './planner.ts'
import { type Found, readRows } from './read-rows.ts'
import { allRecords, scalarOf } from './tallies.ts'
import { orderOf, type Question, walkRecords } from './ways.ts'

/** A look, as it is told of: at so many records. */
export interface Look {
  way: 'head'
  bound: number
  /** Microseconds, as the planner's. */
  cost: number
}

/** Conditions that the first look asks for, of as many fewer records as a filter has alternatives: a millisecond or two. */
const HEAD = 600
/** Of fewer records little can be told. */
const HEAD_LEAST = 200
/** What it may take to go on in any case, by what the look found. */
const FURTHER_MAX = 4000
const PATIENCE = 2
/** Fewer than that are an accident. */
const FOUND_MIN = 2
/** Microseconds to come to a record and look at it; to find one text by its trigrams, for each character it has. */
const LOOKED_AT = 2.3
const SEARCHED = 0.2

/** Conditions that a record without a match is asked for. */
const alternatives = ({ any }: RecordFilter): number =>
  any ? any.reduce((sum, one) => sum + alternatives(one), 0) : 1

const conditionsFor = ({ filters }: Question) => Math.max(1, ...filters.map(alternatives))

/** Of the values that a search found. */
function charactersOf({ filters }: Question, found: readonly StoredRecord[]): number {
  const [slug, ...others] = filters.map(({ leaf }) => leaf?.attribute.slug)
  if (slug === undefined || others.length > 0 || found.length === 0) return 0
  const all = found.map(({ data }) => String((JSON.parse(data) as Record<string, unknown>)[slug]).length)
  return all.reduce((sum, length) => sum + length, 0) / all.length
}

/** Whether index rows that are not of the first records are passed by, without a look at any record. */
const isPassedBy = (question: Question, [only, ...others]: readonly Prepared[]) =>
  orderOf(question) === 'id' && others.length === 0 && only?.probe?.isExact === true && !only.probe.isSearch

/** So far the next look goes; undefined where index rows are quicker. */
function further(
  question: Question,
  { records: found, total }: Found,
  { prepared, looked }: { prepared: readonly Prepared[]; looked: number },
): number | undefined {
  const share = Math.max(question.offset + found.length, 1) / looked
  const hits = (total ?? 0) * share
  const visits = (question.rows + question.offset) / share
  const bound = Math.ceil(visits * PATIENCE)
  if (isPassedBy(question, prepared)) return visits * LOOKED_AT < hits * PASSED_BY ? bound : undefined
  if (bound <= FURTHER_MAX) return bound
  const searched = hits * charactersOf(question, found) * SEARCHED
  return found.length >= FOUND_MIN && visits * LOOKED_AT < searched ? bound : undefined
}

interface Options {
  prepared: readonly Prepared[]
  /** Hears of each look that is taken. */
  tell?: ((look: Look, isTaken: true) => void) | undefined
}

/** @returns the page, if it is found so; undefined when it has to be found otherwise, or has an end that this cannot see */
export async function readHead(
  db: Db,
  model: Indexed,
  question: Question,
  { prepared, tell }: Options,
): Promise<Found | typeof STALE | undefined> {
  if (!['id', 'updated'].includes(orderOf(question))) return undefined
  const total = scalarOf(model, [{ tally: allRecords(model), sign: 1 }])
  const conditions = conditionsFor(question)
  const looked = Math.max(HEAD_LEAST, Math.round(HEAD / conditions))
  // What lies behind all of them is not seen, nor how many match.
  if (question.offset + question.rows > looked) return undefined
  for (let bound: number | undefined = looked; bound; ) {
    tell?.({ way: 'head', bound, cost: bound * conditions * LOOKED_AT }, true)
    const seen: Found | typeof STALE = await readRows(db, model, {
      rows: walkRecords(question, bound),
      // Asked for once: what it is for is how far the second look may go.
      ...(bound === looked && { total }),
    })
    if (seen === STALE) return STALE
    if (seen.records.length === question.rows) return { ...seen, total: null }
    bound = bound === looked ? further(question, seen, { prepared, looked }) : undefined
  }
  return undefined
}
