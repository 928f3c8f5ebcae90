// A look at the first records in order, where it is not known how many meet the filters, and index rows give all of
// them or none: where many meet them, the page is among the first.
import { STALE } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import type { Indexed } from './measure.ts'
import { type Found, readRows } from './read-rows.ts'
import { orderOf, type Question, walkRecords } from './ways.ts'

/** Records of the look: a millisecond. */
const HEAD = 600
/** What it may take to go on, by what the look found: no longer than index rows would. */
const FURTHER_MAX = 4000
const PATIENCE = 2

const isAlongRecords = (question: Question) => ['id', 'updated'].includes(orderOf(question))

/** So far the next look goes; undefined: too far. */
function further({ rows, offset }: Question, found: number): number | undefined {
  const bound = Math.ceil(((rows + offset) * HEAD * PATIENCE) / Math.max(found, 1))
  return bound <= FURTHER_MAX ? bound : undefined
}

/** @returns the page, if it is found so; undefined when it has to be found otherwise, or has an end that this cannot see */
export async function readHead(
  db: Db,
  model: Indexed,
  question: Question,
): Promise<Found | typeof STALE | undefined> {
  if (!isAlongRecords(question)) return undefined
  for (let bound: number | undefined = HEAD; bound; ) {
    const seen: Found | typeof STALE = await readRows(db, model, { rows: walkRecords(question, bound) })
    if (seen === STALE || seen.records.length === question.rows) return seen
    bound = bound === HEAD ? further(question, question.offset + seen.records.length) : undefined
  }
  return undefined
}
