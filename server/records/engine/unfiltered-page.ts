// Pages of all records of a large object, in any order and at any offset.
import sql, { type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../model/attributes/object-index.ts'
import type { AccessPath } from './plan/access-paths.ts'
import { NULLS_SCAN_MAX, SEEK_OFFSET_MIN } from './plan/cost-model.ts'
import { present, scalarCount } from './sql/cardinality.ts'
import { nullsByHistogram } from './sql/nulls.ts'
import { seekByChange, seekById, seekByKey } from './sql/offset-seek.ts'
import type { PageRequest, RowsQuery } from './sql/page-request.ts'
import { type FoundRows, joined, NO_TOTAL, type RowSource } from './sql/row-source.ts'
import { emptyPath, fullScan, keyScan, nullScan, orderedScan } from './sql/scans.ts'
import { countOfAll } from './statistics.ts'

/** The depth at which histograms replace scans of nulls. Smaller in tests. */
export interface NullsDepth {
  /** Larger offsets among the nulls are found by a histogram. */
  offset: number
  /** Records that are read one by one before a page of nulls is found by the histogram. */
  records: number
}

const NULLS_DEPTH: NullsDepth = { offset: SEEK_OFFSET_MIN, records: NULLS_SCAN_MAX }

interface Sorted {
  by: IndexedAttribute
  isSeek: boolean
  nullsDepth: NullsDepth
  total: Sql
}

/** How many records have a value, and how many have none. */
const countKeys = (source: RowSource, { owner }: PageRequest, by: IndexedAttribute) =>
  source.row<{ keyed: number; nulls: number }>(sql`
    select keyed, greatest(records - keyed, 0) as nulls from (
      select ${scalarCount(owner, [{ term: present(owner, by), sign: 1 }])} as keyed,
             ${countOfAll(owner)} as records
      from objects o where ${source.isCurrent}) as counted`)

/** Records without a value, in the order of ids. @param left how many there are at most */
async function readNulls(
  source: RowSource,
  request: PageRequest,
  { by, nullsDepth, left }: Sorted & { left: number },
): Promise<FoundRows> {
  if (by.keepsMissing) return source.rows({ rows: nullScan(request, by) })
  if (request.offset <= nullsDepth.offset) {
    const near = await source.rows({
      rows: nullScan(request, by, request.offset + nullsDepth.records),
    })
    if (near.records.length >= Math.min(request.rows, left)) return near
  }
  const isNull = sql`${request.sort.key?.value ?? sql`null`} is null`
  return source.rows(nullsByHistogram(request, by, isNull))
}

/** Records with a value. After a cursor among the nulls there are none. */
function keyedRows(request: PageRequest, { by, isSeek }: Sorted): RowsQuery {
  if (request.position?.key === null) return { rows: emptyPath }
  return isSeek ? seekByKey(request, by) : { rows: keyScan(request, by, undefined) }
}

/**
 * Reads index rows in order. A page that ends beyond them is read in one snapshot: a record may get or lose its value
 * in between.
 */
async function readSorted(source: RowSource, request: PageRequest, sorted: Sorted): Promise<FoundRows> {
  if (request.position?.key !== null) {
    const keyed = await source.rows({ ...keyedRows(request, sorted), total: sorted.total })
    if (keyed.records.length === request.rows) return keyed
  }
  return source.snapshot((one) => readBoth(one, request, sorted))
}

/** Index rows in order, then the records without a value. */
async function readBoth(source: RowSource, request: PageRequest, sorted: Sorted): Promise<FoundRows> {
  const { rows, offset } = request
  const keyed = await source.rows({ ...keyedRows(request, sorted), total: sorted.total })
  if (keyed.records.length === rows) return keyed
  const counted = await countKeys(source, request, sorted.by)
  const skipped = keyed.records.length > 0 ? offset : counted.keyed
  const rest = {
    ...request,
    rows: rows - keyed.records.length,
    offset: Math.max(0, offset - skipped),
    // A cursor among the keys comes before all nulls.
    position: request.position?.key === null ? request.position : undefined,
  }
  const left = counted.nulls - rest.offset
  if (left <= 0) return keyed
  const nulls = await readNulls(source, rest, { ...sorted, left })
  return joined(keyed, nulls)
}

function unsortedRows(request: PageRequest, path: AccessPath['path']): RowsQuery {
  const { order } = request
  if (path === 'full_scan' || order === 'none') return { rows: fullScan(request) }
  if (path !== 'offset_seek') return { rows: orderedScan(request, undefined) }
  return order === 'id' ? seekById(request) : seekByChange(request)
}

interface Unfiltered {
  path: Pick<AccessPath, 'path'>
  isTotalAsked: boolean
  nullsDepth?: NullsDepth
}

/** @throws StaleModel */
export function readUnfiltered(
  source: RowSource,
  request: PageRequest,
  { path: { path }, isTotalAsked, nullsDepth = NULLS_DEPTH }: Unfiltered,
): Promise<FoundRows> {
  const { owner, sortedBy: by } = request
  const total = isTotalAsked ? countOfAll(owner) : NO_TOTAL
  const isSeek = path === 'offset_seek'
  return by
    ? readSorted(source, request, { by, isSeek, nullsDepth, total })
    : source.rows({ ...unsortedRows(request, path), total })
}
