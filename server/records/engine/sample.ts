// Estimates how common matches are by a sample of the newest records. Counting the index rows of a common word costs as
// much as reading them: seconds in a million records.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { ObjectScope } from './index/counter-changes.ts'
import { ofOwner } from './sql/page-request.ts'

/** Records of a sample. Calculated: if a fiftieth of all records match, 99 of 100 samples have 3 matches or more. */
const SAMPLE = 500
/**
 * Share of all records from which on matches are common. Measured: trigrams find 20,000 of a million texts in 60 ms.
 */
export const COMMON_SHARE = 0.02

interface Sample {
  /** Number of records in the sample: all of them in a small object. */
  records: number
  /** Number of matches of each condition. */
  matches: number[]
}

/** Scalar query of counts among the newest records: first of all of them, then of those that meet each condition. */
export const sampleQuery = (owner: ObjectScope, conditions: readonly Sql[]): Sql => sql`
  select array[${join([sql`count(*)`, ...conditions.map((one) => sql`count(*) filter (where ${one})`)])}] as counts
  from (select r.* from records r where ${ofOwner(owner)} order by r.id desc limit ${SAMPLE}) as r`

export function sampleOf(counts: readonly (number | string)[]): Sample {
  const [records = 0, ...matches] = counts.map(Number)
  return { records, matches }
}

export async function sampleMatches(db: Db, owner: ObjectScope, conditions: readonly Sql[]): Promise<Sample> {
  const { counts } = await db.one<{ counts: (number | string)[] }>(sampleQuery(owner, conditions))
  return sampleOf(counts)
}

/** Whether this many matches in a sample are common in a large object. */
export const isCommon = ({ records }: Sample, matches: number): boolean =>
  records === SAMPLE && matches >= SAMPLE * COMMON_SHARE
