// Splits buckets that have grown, at a row found by scanning a few rows of the bucket. The lower bucket is counted
// without changes that are not folded yet, in one snapshot; the upper bucket gets the rest. Buckets of change times are
// merged once most of their records have been changed again.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { epochSecond, NOT_NULL, RECORDS, timestampOf, UPDATED } from '../index/counter-changes.ts'
import { BUCKET_RECORDS, unfolded } from './counter-store.ts'
import { type ObjectKey, ofObject } from './work-store.ts'

/** A bucket with more records is split. */
const GROWN = 2 * BUCKET_RECORDS
/** Buckets per call. The next call finds the others. */
const BUCKETS_PER_CALL = 50

/** Counts the keys from `low` on, below `until`. The last bucket has no `until`. */
interface Bucket {
  attr: number
  low: string
  until: string | null
}

interface Split {
  low: string
  n: number
}

/** Sum of the changes that meet a condition. */
const changes = (object: ObjectKey, condition: Sql) =>
  sql`coalesce((select sum(c.n) from ${unfolded(object)} where ${condition}), 0)`

const selectIdBuckets = (tx: Db, object: ObjectKey) =>
  tx.many<Bucket>(sql`
    select ${RECORDS}::int as attr, s.low::text as low,
           (select u.low from stat_ids u where ${ofObject(object, sql`u`)} and u.low > s.low order by u.low limit 1)::text as until
    from stat_ids s where ${ofObject(object, sql`s`)} and s.n > ${GROWN} limit ${BUCKETS_PER_CALL}`)

/** @returns the new upper bucket; undefined when the bucket no longer has enough records */
function splitIdBucket(tx: Db, object: ObjectKey, { low, until }: Bucket): Promise<Split | undefined> {
  const { org, obj } = object
  const own = sql`${ofObject(object, sql`s`)} and s.low = ${low}::uuid`
  const changed = changes(
    object,
    sql`case when c.attr = ${RECORDS} then c.val::uuid >= ${low}::uuid and c.val::uuid < place.at end`,
  )
  return tx.maybeOne<Split>(sql`
    with beyond as materialized (
      select r.id as at from records r where ${ofObject(object, sql`r`)} and r.id >= ${low}::uuid
      order by r.id offset ${BUCKET_RECORDS} limit 1),
    place as materialized (select at from beyond where ${until}::uuid is null or at < ${until}::uuid),
    lower as materialized (select at, ${BUCKET_RECORDS}::int - ${changed} as n from place),
    upper as materialized (select lower.at, s.n - lower.n as n from lower, stat_ids s where ${own}),
    kept as (update stat_ids s set n = lower.n from lower where ${own})
    insert into stat_ids (org, obj, low, n) select ${org}::int, ${obj}::int, at, n from upper returning low::text as low, n`)
}

/** In random order: a bucket of one number cannot be split, and must not keep others from being split. */
const selectNumberBuckets = (tx: Db, object: ObjectKey, attrs: readonly number[]) =>
  tx.many<Bucket>(sql`
    select s.attr, s.low::text as low,
           (select u.low from stat_number u
            where ${ofObject(object, sql`u`)} and u.attr = s.attr and u.low > s.low order by u.low limit 1)::text as until
    from stat_number s
    where ${ofObject(object, sql`s`)} and s.attr = any(${attrs}::int[]) and s.n > ${GROWN} order by random() limit ${BUCKETS_PER_CALL}`)

/** The rows of an attribute in order, as rows of `t`. */
interface Rows {
  all: Sql
  key: Sql
  /** The key as a number. */
  value: Sql
  /** Conditions on the key: from a number on, below it, above it. */
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
  value: epochSecond(sql`t.updated_at`),
  from: (second) => sql`t.updated_at >= ${timestampOf(second)}`,
  below: (second) => sql`t.updated_at < ${timestampOf(second)}`,
  above: (second) => sql`t.updated_at >= ${timestampOf(sql`${second} + 1`)}`,
})

/**
 * Splits between two numbers, so that equal numbers stay in one bucket. If the lowest number fills the bucket, splits
 * above it.
 * @returns the new upper bucket; undefined when it cannot be split
 */
function splitNumberBucket(
  tx: Db,
  object: ObjectKey,
  { attr, low, until }: Bucket,
): Promise<Split | undefined> {
  const { org, obj } = object
  const own = sql`${ofObject(object, sql`s`)} and s.attr = ${attr} and s.low = ${low}::numeric`
  const { all, key, value, from, below, above } =
    attr === UPDATED ? changeRows(object) : numberRows(object, attr)
  // Not `until is null or …`: a generic plan of that would scan all rows above.
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
      order by ${key}, t.id offset ${BUCKET_RECORDS} limit 1),
    place as materialized (
      select value as at from middle where value > ${low}::numeric
      union all
      select (select ${value} from ${others} limit 1) from middle
      where value = ${low}::numeric and exists (select from ${others} offset ${BUCKET_RECORDS} limit 1)),
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
  { buckets, split }: { buckets: readonly Bucket[]; split: typeof splitIdBucket },
): Promise<void> {
  for (const bucket of buckets)
    for (let rest: Bucket | undefined = bucket; rest; ) {
      const upper: Split | undefined = await split(tx, object, rest)
      rest = upper && upper.n > GROWN ? { ...rest, low: upper.low } : undefined
    }
}

/** In a transaction that holds the fold lock. @param ranges attributes counted in ranges */
export async function splitGrown(tx: Db, object: ObjectKey, ranges: readonly number[]): Promise<void> {
  await splitAll(tx, object, { buckets: await selectIdBuckets(tx, object), split: splitIdBucket })
  await splitAll(tx, object, {
    buckets: await selectNumberBuckets(tx, object, [...ranges, UPDATED]),
    split: splitNumberBucket,
  })
}

/**
 * Merges buckets of change times that together have the records of one bucket. A changed record moves to the last
 * bucket, and an old bucket would keep the few records that no longer change. At most twice as many buckets stay as are
 * needed.
 */
export const mergeThinned = (tx: Db, object: ObjectKey): Promise<number> => {
  const own = sql`${ofObject(object, sql`s`)} and s.attr = ${UPDATED}::int`
  return tx.run(sql`
    with placed as (
      select s.low, s.n, sum(greatest(s.n, 0)) over (order by s.low) as until from stat_number s where ${own}),
    within as materialized (
      select low, n, floor(until / ${BUCKET_RECORDS}::int) as bucket from placed
      where floor(until / ${BUCKET_RECORDS}::int) = floor((until - greatest(n, 0)) / ${BUCKET_RECORDS}::int)),
    joined as materialized (
      select bucket, min(low) as low, sum(n) as n from within group by bucket having count(*) > 1),
    removed as (
      delete from stat_number s using within w join joined j on j.bucket = w.bucket
      where ${own} and s.low = w.low and w.low <> j.low)
    update stat_number s set n = j.n from joined j where ${own} and s.low = j.low`)
}
