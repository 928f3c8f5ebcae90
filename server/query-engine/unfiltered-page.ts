// Pages of all records of a large object, in any order and at any offset: there is one path, so no statistics are read.
import sql, { type Sql } from 'sql-template-tag'
import { StaleModel } from '../attributes/models.ts'
import type { IndexedAttribute } from '../attributes/object-index.ts'
import type { Db } from '../db/pool.ts'
import { INDEX_ROW_SKIPPED, NULLS_SCAN_MAX, OFFSET_SEEK, SEEK_OFFSET_MIN } from './cost-model.ts'
import { type ListPath, type PagePlan, take } from './page-plan.ts'
import { allRecords, present, scalarCount } from './sql/cardinality.ts'
import { nullsByHistogram } from './sql/nulls.ts'
import { seekByChange, seekById, seekByKey } from './sql/offset-seek.ts'
import { type Found, joined, NO_TOTAL, readRows } from './sql/read-rows.ts'
import { emptyPath, fullScan, keyScan, nullScan, orderedScan, orderOf, type Question } from './sql/scans.ts'
import type { Indexed } from './statistics.ts'

/** Where scans end and histograms are used; smaller ones for tests. */
export interface Depth {
  /** Larger offsets are found by a histogram. */
  scanned: number
  /** Records that are read one by one before nulls are found by the histogram. */
  nullsScanned: number
}

const DEPTH: Depth = { scanned: SEEK_OFFSET_MIN, nullsScanned: NULLS_SCAN_MAX }

interface Sorted {
  by: IndexedAttribute
  depth: Depth
}

const isDeep = ({ offset }: Question, { scanned }: Depth) => offset > scanned

/** The only path to a page without filters. */
function listPath(question: Question, depth: Depth): ListPath {
  if (orderOf(question) === 'none') return { path: 'full_scan' }
  return { path: isDeep(question, depth) ? 'offset_seek' : 'ordered_scan' }
}

/** Microseconds to find a large offset. */
export function costOfSeek(question: Question, records: number): number {
  const counting = question.sortedBy?.counting
  const hasHistogram = orderOf(question) !== 'key' || counting === 'values' || counting === 'ranges'
  const { offset } = question
  return hasHistogram ? OFFSET_SEEK : Math.max(0, Math.min(offset, records - offset)) * INDEX_ROW_SKIPPED
}

/** How many records have a value, and how many have none. */
async function countKeys(db: Db, model: Indexed, by: IndexedAttribute) {
  const row = await db.maybeOne<{ keyed: number; nulls: number }>(sql`
    select keyed, greatest(records - keyed, 0) as nulls from (
      select ${scalarCount(model, [{ term: present(model, by), sign: 1 }])} as keyed,
             ${scalarCount(model, [{ term: allRecords(model), sign: 1 }])} as records
      from objects o where o.org = ${model.org} and o.obj = ${model.obj} and o.version = ${model.version}) as counted`)
  if (!row) throw new StaleModel()
  return row
}

/** Records without a value, in the order of ids. @param left how many there are at most */
async function readNulls(
  db: Db,
  model: Indexed,
  question: Question,
  { by, depth, left }: Sorted & { left: number },
): Promise<Found> {
  if (by.keepsMissing) return readRows(db, model, { rows: nullScan(question, by) })
  if (!isDeep(question, depth)) {
    const near = await readRows(db, model, {
      rows: nullScan(question, by, question.offset + depth.nullsScanned),
    })
    if (near.records.length >= Math.min(question.rows, left)) return near
  }
  const isNull = sql`${question.sort.key?.value ?? sql`null`} is null`
  return readRows(db, model, nullsByHistogram(question, by, isNull))
}

/** Records with a value, of which there are none behind one without. */
function keyedRows(question: Question, { by, depth }: Sorted): { rows: Sql; before?: Sql } {
  if (question.position?.key === null) return { rows: emptyPath }
  return isDeep(question, depth) ? seekByKey(question, by) : { rows: keyScan(question, by, undefined) }
}

type SortedAndCounted = Sorted & { total: Sql }

/** Index rows in order. A page that ends beyond them is read in one snapshot: a record may get or lose its value meanwhile. */
async function readSorted(
  db: Db,
  model: Indexed,
  question: Question,
  sorted: SortedAndCounted,
): Promise<Found> {
  if (question.position?.key !== null) {
    const keyed = await readRows(db, model, { ...keyedRows(question, sorted), total: sorted.total })
    if (keyed.records.length === question.rows) return keyed
  }
  return db.snapshot((tx) => readBoth(tx, model, question, sorted))
}

/** Index rows in order, then the records without a value. */
async function readBoth(
  db: Db,
  model: Indexed,
  question: Question,
  { total, ...sorted }: SortedAndCounted,
): Promise<Found> {
  const { rows, offset } = question
  const keyed = await readRows(db, model, { ...keyedRows(question, sorted), total })
  if (keyed.records.length === rows) return keyed
  const counted = await countKeys(db, model, sorted.by)
  const passed = keyed.records.length > 0 ? offset : counted.keyed
  const rest = {
    ...question,
    rows: rows - keyed.records.length,
    offset: Math.max(0, offset - passed),
    // A cursor among the keys is before all that have none.
    position: question.position?.key === null ? question.position : undefined,
  }
  const left = counted.nulls - rest.offset
  if (left <= 0) return keyed
  const nulls = await readNulls(db, model, rest, { ...sorted, left })
  return joined(keyed, nulls)
}

function unsortedRows(question: Question, { path }: ListPath): { rows: Sql; before?: Sql } {
  if (path === 'full_scan') return { rows: fullScan(question) }
  if (path === 'ordered_scan') return { rows: orderedScan(question, undefined) }
  return orderOf(question) === 'id' ? seekById(question) : seekByChange(question)
}

/** @param plan gets the path that is taken @throws StaleModel */
export function readAll(
  db: Db,
  model: Indexed,
  question: Question,
  { isCounted, depth = DEPTH, plan = [] }: { isCounted: boolean; depth?: Depth; plan?: PagePlan },
): Promise<Found> {
  const path = listPath(question, depth)
  take(plan, path)
  const total = isCounted ? scalarCount(model, [{ term: allRecords(model), sign: 1 }]) : NO_TOTAL
  return question.sortedBy
    ? readSorted(db, model, question, { by: question.sortedBy, depth, total })
    : readRows(db, model, { ...unsortedRows(question, path), total })
}
