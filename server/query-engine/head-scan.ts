// A head scan: reads the first records in order where it is not known how many meet the filters, and index rows give all
// matches or none. Where many match, the page is among the first.
import type { Db } from '../db/pool.ts'
import type { RecordFilter } from '../records/filters/to-sql.ts'
import type { StoredRecord } from '../records/store.ts'
import {
  HEAD_COMPARISONS,
  HEAD_EXTENSION_MAX,
  HEAD_MATCHES_MIN,
  HEAD_OVERSHOOT,
  HEAD_RECORDS_MIN,
  INDEX_ROW_SKIPPED,
  RECORD_IN_ORDER,
  SEARCH_CHARACTER,
} from './cost-model.ts'
import { type PagePlan, take } from './page-plan.ts'
import { allRecords, scalarCount } from './sql/cardinality.ts'
import { type Found, readRows } from './sql/read-rows.ts'
import { orderedScan, orderOf, type Question } from './sql/scans.ts'
import type { Indexed, Prepared } from './statistics.ts'

/** Comparisons with a record that does not match. */
const alternatives = ({ any }: RecordFilter): number =>
  any ? any.reduce((sum, one) => sum + alternatives(one), 0) : 1

const comparisonsOf = ({ filters }: Question) => Math.max(1, ...filters.map(alternatives))

/** Average length of the values that a search found, 0 when there are several filters. */
function charactersOf({ filters }: Question, found: readonly StoredRecord[]): number {
  const [slug, ...others] = filters.map(({ leaf }) => leaf?.attribute.slug)
  if (slug === undefined || others.length > 0 || found.length === 0) return 0
  const all = found.map(({ data }) => String((JSON.parse(data) as Record<string, unknown>)[slug]).length)
  return all.reduce((sum, length) => sum + length, 0) / all.length
}

/** Whether index rows beyond the first records can be skipped without reading any record. */
const canSkipRows = (question: Question, [only, ...others]: readonly Prepared[]) =>
  orderOf(question) === 'id' &&
  others.length === 0 &&
  only?.indexCondition?.isExact === true &&
  !only.indexCondition.isSearch

/** Records that the extension reads; undefined where index rows are cheaper. */
function extension(
  question: Question,
  { records: found, total }: Found,
  { prepared, sample }: { prepared: readonly Prepared[]; sample: number },
): number | undefined {
  const share = Math.max(question.offset + found.length, 1) / sample
  const hits = (total ?? 0) * share
  const visits = (question.rows + question.offset) / share
  const bound = Math.ceil(visits * HEAD_OVERSHOOT)
  if (canSkipRows(question, prepared))
    return visits * RECORD_IN_ORDER < hits * INDEX_ROW_SKIPPED ? bound : undefined
  if (bound <= HEAD_EXTENSION_MAX) return bound
  const searched = hits * charactersOf(question, found) * SEARCH_CHARACTER
  return found.length >= HEAD_MATCHES_MIN && visits * RECORD_IN_ORDER < searched ? bound : undefined
}

interface Options {
  prepared: readonly Prepared[]
  /** Gets each head scan that is tried. */
  plan?: PagePlan
}

/** @returns the page; undefined when the first records do not fill it */
export async function readHeadScan(
  db: Db,
  model: Indexed,
  question: Question,
  { prepared, plan = [] }: Options,
): Promise<Found | undefined> {
  if (!['id', 'updated'].includes(orderOf(question))) return undefined
  const total = scalarCount(model, [{ term: allRecords(model), sign: 1 }])
  const comparisons = comparisonsOf(question)
  const sample = Math.max(HEAD_RECORDS_MIN, Math.round(HEAD_COMPARISONS / comparisons))
  // Neither the records behind the sample are seen, nor how many match.
  if (question.offset + question.rows > sample) return undefined
  for (let bound: number | undefined = sample; bound; ) {
    take(plan, { path: 'head_scan', bound, cost: bound * comparisons * RECORD_IN_ORDER })
    const seen: Found = await readRows(db, model, {
      rows: orderedScan(question, bound),
      // Only the extension depends on how many records there are.
      ...(bound === sample && { total }),
    })
    if (seen.records.length === question.rows) return { ...seen, total: null }
    bound = bound === sample ? extension(question, seen, { prepared, sample }) : undefined
  }
  return undefined
}
