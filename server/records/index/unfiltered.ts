// Pages of all records of a large object, in any order and at any depth: nothing to measure, no way to choose.
import sql, { type Sql } from 'sql-template-tag'
import { STALE } from '../../attributes/models.ts'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import type { Db } from '../../db/pool.ts'
import { fromLackingStep } from './lacking.ts'
import { fromChangeRung, fromIdRung, fromKey } from './ladder.ts'
import type { Indexed } from './measure.ts'
import { type Found, joined, NO_TOTAL, readRows } from './read-rows.ts'
import { allRecords, present, scalarOf } from './tallies.ts'
import { noRows, orderOf, type Question, scanRecords, walkKeys, walkMissing, walkRecords } from './ways.ts'

/** Where walking ends and the ladder begins; smaller ones for tests. */
export interface Depth {
  /** Offsets beyond so many rows are found by the ladder. */
  steps: number
  /** So many records are looked at one by one before those without a value are counted out. */
  lookedAt: number
}

const DEPTH: Depth = { steps: 2000, lookedAt: 5000 }

interface Sorted {
  by: IndexedAttribute
  depth: Depth
}

const isDeep = ({ offset }: Question, { steps }: Depth) => offset > steps

/** Microseconds to find a rung and to pass what is in it; for each that is passed where there is no ladder. */
const CLIMBED = 700
const PASSED = 0.15

/** About how long a deep offset takes; undefined where rows are passed one by one. */
export function deepCost(question: Question, records: number): number | undefined {
  const order = orderOf(question)
  if (order === 'none' || !isDeep(question, DEPTH)) return undefined
  const counting = question.sortedBy?.counting
  const isClimbed = order !== 'key' || counting === 'values' || counting === 'ranges'
  const { offset } = question
  return isClimbed ? CLIMBED : Math.max(0, Math.min(offset, records - offset)) * PASSED
}

/** How many records have a value, and how many have none. */
async function countKeys(db: Db, model: Indexed, by: IndexedAttribute) {
  const row = await db.maybeOne<{ keyed: number; lacking: number }>(sql`
    select keyed, greatest(records - keyed, 0) as lacking from (
      select ${scalarOf(model, [{ tally: present(model, by), sign: 1 }])} as keyed,
             ${scalarOf(model, [{ tally: allRecords(model), sign: 1 }])} as records
      from objects o where o.org = ${model.org} and o.obj = ${model.obj} and o.version = ${model.version}) as counted`)
  return row ?? STALE
}

/** Records without a value, in the order of ids. @param left so many there are at most */
async function readLacking(
  db: Db,
  model: Indexed,
  question: Question,
  { by, depth, left }: Sorted & { left: number },
): Promise<Found | typeof STALE> {
  if (by.keepsMissing) return readRows(db, model, { rows: walkMissing(question, by) })
  if (!isDeep(question, depth)) {
    const near = await readRows(db, model, {
      rows: walkMissing(question, by, question.offset + depth.lookedAt),
    })
    if (near === STALE || near.records.length >= Math.min(question.rows, left)) return near
  }
  const isLacking = sql`${question.sort.key?.value ?? sql`null`} is null`
  return readRows(db, model, fromLackingStep(question, by, isLacking))
}

/** Records with a value, of which there are none behind one without. */
function keyedRows(question: Question, { by, depth }: Sorted): { rows: Sql; before?: Sql } {
  if (question.position?.key === null) return { rows: noRows }
  return isDeep(question, depth) ? fromKey(question, by) : { rows: walkKeys(question, by, undefined) }
}

type SortedAndCounted = Sorted & { total: Sql }

/** Along the keys; a page that ends beyond them is read in one snapshot: a record may get a value or lose it meanwhile. */
async function readSorted(
  db: Db,
  model: Indexed,
  question: Question,
  sorted: SortedAndCounted,
): Promise<Found | typeof STALE> {
  if (question.position?.key !== null) {
    const keyed = await readRows(db, model, { ...keyedRows(question, sorted), total: sorted.total })
    if (keyed === STALE || keyed.records.length === question.rows) return keyed
  }
  return db.snapshot((tx) => readBoth(tx, model, question, sorted))
}

/** Along the keys, then on among the records without a value. */
async function readBoth(
  db: Db,
  model: Indexed,
  question: Question,
  { total, ...sorted }: SortedAndCounted,
): Promise<Found | typeof STALE> {
  const { rows, offset } = question
  const keyed = await readRows(db, model, { ...keyedRows(question, sorted), total })
  if (keyed === STALE || keyed.records.length === rows) return keyed
  const counted = await countKeys(db, model, sorted.by)
  if (counted === STALE) return STALE
  const passed = keyed.records.length > 0 ? offset : counted.keyed
  const rest = {
    ...question,
    rows: rows - keyed.records.length,
    offset: Math.max(0, offset - passed),
    // A cursor among the keys is before all that have none.
    position: question.position?.key === null ? question.position : undefined,
  }
  const left = counted.lacking - rest.offset
  if (left <= 0) return keyed
  const lacking = await readLacking(db, model, rest, { ...sorted, left })
  return lacking === STALE ? STALE : joined(keyed, lacking)
}

/** @returns STALE when the model is out of date */
export function readAll(
  db: Db,
  model: Indexed,
  question: Question,
  { isCounted, depth = DEPTH }: { isCounted: boolean; depth?: Depth },
): Promise<Found | typeof STALE> {
  const total = isCounted ? scalarOf(model, [{ tally: allRecords(model), sign: 1 }]) : NO_TOTAL
  const order = orderOf(question)
  if (order === 'none') return readRows(db, model, { rows: scanRecords(question), total })
  if (question.sortedBy) return readSorted(db, model, question, { by: question.sortedBy, depth, total })
  if (!isDeep(question, depth)) return readRows(db, model, { rows: walkRecords(question, undefined), total })
  const deep = order === 'id' ? fromIdRung(question) : fromChangeRung(question)
  return readRows(db, model, { ...deep, total })
}
