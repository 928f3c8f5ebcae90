// Reads the rows of one access path.
import type { IndexedAttribute } from '../attributes/object-index.ts'
import type { Db } from '../db/pool.ts'
import type { AccessPath } from './planner.ts'
import { firstIds } from './sql/offset-seek.ts'
import { type Found, joined, NOTHING, readRows } from './sql/read-rows.ts'
import {
  fetchAndSort,
  fullScan,
  indexScan,
  keyScan,
  keysSkipped,
  nullScan,
  orderedScan,
  orderOf,
  type Question,
} from './sql/scans.ts'
import type { Indexed, Prepared } from './statistics.ts'

/** Whether only records without a value are asked for. */
const isOfNulls = ({ filters, position }: Question, by: IndexedAttribute) =>
  position?.key === null ||
  filters.some(({ leaf }) => leaf?.operator === 'isEmpty' && leaf.attribute.slug === by.slug)

/** Index rows of what is sorted by, then the records without a value. */
async function readKeys(
  db: Db,
  model: Indexed,
  question: Question,
  { by, bound }: { by: IndexedAttribute; bound: number | undefined },
): Promise<Found> {
  const isAmongNulls = isOfNulls(question, by)
  const keyed = isAmongNulls ? NOTHING : await readRows(db, model, { rows: keyScan(question, by, bound) })
  // Rows of records without a value have no bound: there the next path finds everything.
  const isBounded = bound !== undefined && (!isAmongNulls || by.keepsMissing)
  if (keyed.records.length === question.rows || isBounded) return keyed
  const passed =
    keyed.records.length > 0 || isAmongNulls || question.offset === 0
      ? question.offset * Number(!isAmongNulls)
      : (await db.one<{ count: number }>(keysSkipped(question, by))).count
  const rest = {
    ...question,
    rows: question.rows - keyed.records.length,
    offset: question.offset - passed,
  }
  const nulls = await readRows(db, model, { rows: nullScan(rest, by, bound) })
  return joined(keyed, nulls)
}

/** The rows of one access path, whether it is the cheapest or not. */
export function readPath(
  db: Db,
  model: Indexed,
  question: Question,
  { path, prepared }: { path: AccessPath; prepared: readonly Prepared[] },
): Promise<Found> {
  if (path.path === 'empty') return Promise.resolve(NOTHING)
  const { sortedBy: by } = question
  if (path.path === 'full_scan') return readRows(db, model, { rows: fullScan(question) })
  if (path.path === 'ordered_scan') {
    if (by) return readKeys(db, model, question, { by, bound: path.bound })
    const isOrdered = orderOf(question) !== 'none'
    return readRows(db, model, { rows: isOrdered ? orderedScan(question, path.bound) : fullScan(question) })
  }
  const indexCondition = prepared[path.filter]?.indexCondition
  if (!indexCondition) throw new Error('The planner chose an index condition that is not there')
  const isAlone = prepared.length === 1 && indexCondition.isExact && orderOf(question) === 'id'
  if (path.path === 'index_scan')
    return readRows(db, model, { rows: indexScan(question, indexCondition, { bound: path.bound, isAlone }) })
  if (!isAlone) return readRows(db, model, { rows: fetchAndSort(question, indexCondition) })
  const ids = path.bound === undefined ? indexCondition.ids : firstIds(question, indexCondition, path.bound)
  return readRows(db, model, { rows: indexScan(question, { ...indexCondition, ids }, { isAlone }) })
}
