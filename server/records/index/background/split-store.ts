// Steps and ranges that have grown are split, at a place found by walking a few of their rows. The lower part is
// counted without what is not folded yet, in one snapshot; the upper part is what remains.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { ANY_VALUE, RECORDS } from '../counting.ts'
import { STEP, unfolded } from './count-store.ts'
import { type ObjectKey, ofObject } from './work-store.ts'

/** More records between two steps, or in a range, and it is split. */
const GROWN = 2 * STEP
/** Looked at in one go; the others are seen the next time. */
const AT_ONCE = 50

/** A counter of what is at least `low`, and below `until` where there is a next one. */
interface Span {
  attr: number
  low: string
  until: string | null
}

interface Split {
  low: string
  n: number
}

/** As few of several changes as meet a condition, added up. */
const changes = (object: ObjectKey, condition: Sql) =>
  sql`coalesce((select sum(c.n) from ${unfolded(object)} where ${condition}), 0)`

const selectSteps = (tx: Db, object: ObjectKey) =>
  tx.many<Span>(sql`
    select ${RECORDS}::int as attr, s.low::text as low,
           (select u.low from stat_ids u where ${ofObject(object, sql`u`)} and u.low > s.low order by u.low limit 1)::text as until
    from stat_ids s where ${ofObject(object, sql`s`)} and s.n > ${GROWN} limit ${AT_ONCE}`)

/** @returns the new upper step, undefined when there are no longer so many records between them */
function splitStep(tx: Db, object: ObjectKey, { low, until }: Span): Promise<Split | undefined> {
  const { org, obj } = object
  const own = sql`${ofObject(object, sql`s`)} and s.low = ${low}::uuid`
  const changed = changes(
    object,
    sql`case when c.attr = ${RECORDS} then c.val::uuid >= ${low}::uuid and c.val::uuid < place.at end`,
  )
  return tx.maybeOne<Split>(sql`
    with beyond as materialized (
      select r.id as at from records r where ${ofObject(object, sql`r`)} and r.id >= ${low}::uuid
      order by r.id offset ${STEP} limit 1),
    place as materialized (select at from beyond where ${until}::uuid is null or at < ${until}::uuid),
    lower as materialized (select at, ${STEP}::int - ${changed} as n from place),
    upper as materialized (select lower.at, s.n - lower.n as n from lower, stat_ids s where ${own}),
    kept as (update stat_ids s set n = lower.n from lower where ${own})
    insert into stat_ids (org, obj, low, n) select ${org}::int, ${obj}::int, at, n from upper returning low::text as low, n`)
}

const selectRanges = (tx: Db, object: ObjectKey, attrs: readonly number[]) =>
  tx.many<Span>(sql`
    select s.attr, s.low::text as low,
           (select u.low from stat_number u
            where ${ofObject(object, sql`u`)} and u.attr = s.attr and u.low > s.low order by u.low limit 1)::text as until
    from stat_number s
    where ${ofObject(object, sql`s`)} and s.attr = any(${attrs}::int[]) and s.n > ${GROWN} limit ${AT_ONCE}`)

/**
 * Between two numbers, so that equal ones stay together; behind the lowest when it fills the range alone.
 * @returns the new upper range, undefined when it is not to be split
 */
function splitRange(tx: Db, object: ObjectKey, { attr, low, until }: Span): Promise<Split | undefined> {
  const { org, obj } = object
  const own = sql`${ofObject(object, sql`s`)} and s.attr = ${attr} and s.low = ${low}::numeric`
  const rows = sql`index_number t where t.org = ${org} and t.attr = ${attr}`
  const isBelow = sql`(${until}::numeric is null or t.value < ${until}::numeric)`
  const above = sql`${rows} and t.value > ${low}::numeric and ${isBelow} order by t.value, t.id`
  const changed = changes(
    object,
    sql`case when c.attr = ${attr} and c.val <> ${ANY_VALUE}
        then c.val::numeric >= ${low}::numeric and c.val::numeric < place.at end`,
  )
  return tx.maybeOne<Split>(sql`
    with middle as materialized (
      select t.value from ${rows} and t.value >= ${low}::numeric and ${isBelow}
      order by t.value, t.id offset ${STEP} limit 1),
    place as materialized (
      select value as at from middle where value > ${low}::numeric
      union all
      select (select t.value from ${above} limit 1) from middle
      where value = ${low}::numeric and exists (select from ${above} offset ${STEP} limit 1)),
    lower as materialized (
      select at, (select count(*) from ${rows} and t.value >= ${low}::numeric and t.value < place.at) - ${changed} as n
      from place),
    upper as materialized (select lower.at, s.n - lower.n as n from lower, stat_number s where ${own}),
    kept as (update stat_number s set n = lower.n from lower where ${own})
    insert into stat_number (org, obj, attr, low, n) select ${org}::int, ${obj}::int, ${attr}, at, n from upper
    returning low::text as low, n`)
}

async function splitAll(
  tx: Db,
  object: ObjectKey,
  { spans, split }: { spans: readonly Span[]; split: typeof splitStep },
): Promise<void> {
  for (const span of spans)
    for (let rest: Span | undefined = span; rest; ) {
      const upper: Split | undefined = await split(tx, object, rest)
      rest = upper && upper.n > GROWN ? { ...rest, low: upper.low } : undefined
    }
}

/** Splits what has grown, in a transaction that keeps others from folding. @param ranges attributes counted in ranges */
export async function splitGrown(tx: Db, object: ObjectKey, ranges: readonly number[]): Promise<void> {
  await splitAll(tx, object, { spans: await selectSteps(tx, object), split: splitStep })
  if (ranges.length > 0)
    await splitAll(tx, object, { spans: await selectRanges(tx, object, ranges), split: splitRange })
}
