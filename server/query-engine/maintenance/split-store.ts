// Steps and ranges that have grown are split, at a place found by scanning a few of their rows. The lower part is
// counted without what is not folded yet, in one snapshot; the upper part is what remains. Ranges of times that most
// records have left are put together.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { momentOf, NOT_NULL, RECORDS, secondOf, UPDATED } from './counter-changes.ts'
import { STEP, unfolded } from './counter-store.ts'
import { type ObjectKey, ofObject } from './work-store.ts'

/** More records between two steps, or in a range, and it is split. */
const GROWN = 2 * STEP
/** Handled in one call; the others are found by the next one. */
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

/** @returns the new upper step, undefined when there are fewer records between them by now */
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

/** Each has its turn: one number may fill a range, which stays as large as it is. */
const selectRanges = (tx: Db, object: ObjectKey, attrs: readonly number[]) =>
  tx.many<Span>(sql`
    select s.attr, s.low::text as low,
           (select u.low from stat_number u
            where ${ofObject(object, sql`u`)} and u.attr = s.attr and u.low > s.low order by u.low limit 1)::text as until
    from stat_number s
    where ${ofObject(object, sql`s`)} and s.attr = any(${attrs}::int[]) and s.n > ${GROWN} order by random() limit ${AT_ONCE}`)

/** What is in ranges, in their order, as rows of `t`. */
interface Rows {
  all: Sql
  key: Sql
  /** The number of the key. */
  value: Sql
  /** The first key of a number, and the first behind it: conditions. */
  from: (number: Sql) => Sql
  below: (number: Sql) => Sql
  above: (number: Sql) => Sql
}

const numberRows = ({ org }: ObjectKey, attr: number): Rows => ({
  all: sql`index_number t where t.org = ${org} and t.attr = ${attr}`,
  key: sql`t.value`,
  value: sql`t.value`,
  from: (number) => sql`t.value >= ${number}`,
  below: (number) => sql`t.value < ${number}`,
  above: (number) => sql`t.value > ${number}`,
})

const changeRows = (object: ObjectKey): Rows => ({
  all: sql`records t where ${ofObject(object, sql`t`)}`,
  key: sql`t.updated_at`,
  value: secondOf(sql`t.updated_at`),
  from: (second) => sql`t.updated_at >= ${momentOf(second)}`,
  below: (second) => sql`t.updated_at < ${momentOf(second)}`,
  above: (second) => sql`t.updated_at >= ${momentOf(sql`${second} + 1`)}`,
})

/**
 * Between two numbers, so that equal ones stay together; behind the lowest when it fills the range alone.
 * @returns the new upper range, undefined when it is not to be split
 */
function splitRange(tx: Db, object: ObjectKey, { attr, low, until }: Span): Promise<Split | undefined> {
  const { org, obj } = object
  const own = sql`${ofObject(object, sql`s`)} and s.attr = ${attr} and s.low = ${low}::numeric`
  const { all, key, value, from, below, above } =
    attr === UPDATED ? changeRows(object) : numberRows(object, attr)
  // Not `until is null or …`: a plan for any range would scan all rows behind it.
  const isBelow = below(sql`coalesce(${until}::numeric, 'Infinity')`)
  const others = sql`${all} and ${above(sql`${low}::numeric`)} and ${isBelow} order by ${key}, t.id`
  const changed = changes(
    object,
    sql`case when c.attr = ${attr} and c.val <> ${NOT_NULL}
        then c.val::numeric >= ${low}::numeric and c.val::numeric < place.at end`,
  )
  return tx.maybeOne<Split>(sql`
    with middle as materialized (
      select ${value} as value from ${all} and ${from(sql`${low}::numeric`)} and ${isBelow}
      order by ${key}, t.id offset ${STEP} limit 1),
    place as materialized (
      select value as at from middle where value > ${low}::numeric
      union all
      select (select ${value} from ${others} limit 1) from middle
      where value = ${low}::numeric and exists (select from ${others} offset ${STEP} limit 1)),
    lower as materialized (
      select at, (select count(*) from ${all} and ${from(sql`${low}::numeric`)} and ${below(sql`place.at`)}) - ${changed} as n
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
  await splitAll(tx, object, {
    spans: await selectRanges(tx, object, [...ranges, UPDATED]),
    split: splitRange,
  })
}

/**
 * Puts ranges of seconds together that are within one step's records: what is changed leaves its time for the present,
 * and an old range would keep the few that no longer change. At most twice as many ranges stay as steps are needed.
 */
export const joinThinned = (tx: Db, object: ObjectKey): Promise<number> => {
  const own = sql`${ofObject(object, sql`s`)} and s.attr = ${UPDATED}::int`
  return tx.run(sql`
    with placed as (
      select s.low, s.n, sum(greatest(s.n, 0)) over (order by s.low) as until from stat_number s where ${own}),
    within as materialized (
      select low, n, floor(until / ${STEP}::int) as step from placed
      where floor(until / ${STEP}::int) = floor((until - greatest(n, 0)) / ${STEP}::int)),
    joined as materialized (
      select step, min(low) as low, sum(n) as n from within group by step having count(*) > 1),
    gone as (
      delete from stat_number s using within w join joined j on j.step = w.step
      where ${own} and s.low = w.low and w.low <> j.low)
    update stat_number s set n = j.n from joined j where ${own} and s.low = j.low`)
}
