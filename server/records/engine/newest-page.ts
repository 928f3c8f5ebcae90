// Reads slices of the newest records, for searches that have no time to read all records.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { partsOfKey, type Sort } from '../rows/sorting.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import type { ObjectScope } from './index/counter-changes.ts'
import type { PageQuery } from './page-query.ts'
import { ofOwner, orderOf, type PageRequest } from './sql/page-request.ts'
import { rowSource } from './sql/row-source.ts'
import { newestScan } from './sql/scans.ts'

export interface KeyedRecord {
  record: StoredRecord
  /** The sort key, as text. */
  key: string | null
}

interface Slice {
  /** Matches in the slice, in sort order: one more than a page has, if there are more. */
  found: KeyedRecord[]
  /** Number of records in the slice, matching or not. */
  looked: number
  /** Id of the oldest record in the slice. */
  last: string | undefined
}

const below = (before: string | undefined): Sql =>
  before === undefined ? sql`true` : sql`r.id < ${before}::uuid`

/** Ids of the records of a slice: the newest records below `before`, newest first. */
const sliceOf = (owner: ObjectScope, before: string | undefined, size: number): Sql => sql`
  select r.id from records r where ${ofOwner(owner)} and ${below(before)} order by r.id desc limit ${size}`

/**
 * The records of the same slice, bounded by its last id: a record created in between does not push the last one out.
 */
const sliceTo = (owner: ObjectScope, before: string | undefined, last: string): Sql => sql`
  select r.* from records r where ${ofOwner(owner)} and ${below(before)} and r.id >= ${last}::uuid offset 0`

/** @throws StaleModel, LongPage */
export async function selectSlice(
  db: Db,
  model: ObjectModel,
  { filters, sort, limit }: Pick<PageQuery, 'filters' | 'sort' | 'limit'>,
  { before, size }: { before: string | undefined; size: number },
): Promise<Slice> {
  const { org, obj } = model
  const owner = { org, obj }
  const request: PageRequest = {
    owner,
    filters,
    sort,
    sortedBy: undefined,
    order: orderOf(sort, undefined),
    position: undefined,
    rows: limit + 1,
    offset: 0,
  }
  const { looked, last } = await db.one<{ looked: number; last: string | null }>(sql`
    select count(*)::int as looked, (array_agg(s.id order by s.id))[1] as last from (${sliceOf(owner, before, size)}) as s`)
  if (last === null) return { found: [], looked, last: undefined }
  const { records, keys } = await rowSource(db, model).rows({
    rows: newestScan(request, sliceTo(owner, before, last)),
  })
  const found = records.map((record, place) => ({ record, key: keys[place] ?? null }))
  return { found, looked, last }
}

const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

const signOf = (order: Sort['order']) => (order === 'asc' ? 1 : -1)

type Key = string | null | undefined

/** Records without a key come last. */
function byKey(
  type: NonNullable<Sort['key']>['type'] | undefined,
  order: Sort['order'],
  a: Key,
  b: Key,
): number {
  const [isNone, isOther] = [a ?? null, b ?? null].map((one) => one === null)
  if (isNone || isOther) return Number(isNone) - Number(isOther)
  return signOf(order) * (type === 'text' ? byText(String(a), String(b)) : Number(a) - Number(b))
}

/** Compares records in the order of pages. */
export function byPageOrder({ key, keys, order }: Sort): (a: KeyedRecord, b: KeyedRecord) => number {
  const byId = (a: KeyedRecord, b: KeyedRecord) => signOf(order) * byText(a.record.id, b.record.id)
  if (!keys) return (a, b) => byKey(key?.type, order, a.key, b.key) || byId(a, b)
  return (a, b) => {
    const [ofA, ofB] = [partsOfKey(a.key), partsOfKey(b.key)]
    const orders = keys.map((one, index) => byKey(one.type, one.order, ofA[index], ofB[index]))
    return orders.find((one) => one !== 0) ?? byId(a, b)
  }
}
