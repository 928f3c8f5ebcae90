// Reads first pages of the newest records, without filters. Requests that arrive while others are read share one statement,
// in which each page has its own organization.
import sql, { type Sql } from 'sql-template-tag'
import { createSharedBatches, type Waiting } from '../../base/batches.ts'
import type { Db } from '../../db/pool.ts'
import { type DatabaseScope, joinScopes } from '../../db/scope.ts'
import { PAGE_BYTES_MAX } from '../../http/page-size.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { scannedPage } from '../engine/full-scan.ts'
import type { Page, PageQuery } from '../engine/page-query.ts'
import { countOfAll, isIndexed } from '../engine/statistics.ts'
import { pageLine, shortLines } from '../rows/page-lines.ts'
import { visibleBy } from '../rows/stored-record.ts'
import { LongObjects } from './long-objects.ts'

interface FirstPage {
  model: ObjectModel
  limit: number
  /** Whether the total is requested. */
  count: boolean
  /** The scope of the request, which may be cancelled. */
  scope: DatabaseScope | undefined
}

export interface PageReads {
  /** @param unbatched reads the page by its own statement */
  read(page: FirstPage, unbatched: () => Promise<Page>): Promise<Page>
}

type Wanted = Waiting<FirstPage, Page>

interface Row {
  /** The position in the batch, from 1. */
  n: number
  total: number | null
  lines: string | null
}

const BATCH_MAX = 16
const IN_FLIGHT_MAX = 4
/** A page that waits longer is read by its own statement, which costs more. */
const WAIT_MS = 200
/** Larger pages are read by their own statements, so that small pages of others do not wait for them. */
const LIMIT_MAX = 50
const CHARACTERS_MAX = 256 * 1024
/** An object with more records is counted by its own statement. */
const COUNT_MAX = 5000

const isFirst = ({ filters, sort, position, limit, offset }: PageQuery): boolean =>
  filters.length === 0 &&
  sort.key === undefined &&
  sort.order === 'desc' &&
  position === undefined &&
  offset === 0 &&
  limit <= LIMIT_MAX

/** Whether `read` can read the page: counters hold the number of records, or the object has few. */
export const isShared = (model: ObjectModel, query: PageQuery): boolean =>
  isFirst(query) && (model.index === undefined || isIndexed(model))

const OWN = sql`r.org = q.org and r.obj = q.obj`
const TOTAL = sql`
  case when not q.counted then null
    when q.indexed then ${countOfAll({ org: sql`q.org`, obj: sql`q.obj` })}
    else (select count(*) from (select from records r where ${OWN} limit ${COUNT_MAX + 1}) as few) end`
const DATA = visibleBy({ hidden: sql`o.hidden_slugs`, renaming: sql`o.renaming` }, sql`r.data`)

/** Groups equal pages of a batch, each of which is read once. */
function samePages(batch: readonly Wanted[]): Wanted[][] {
  const groups: Wanted[][] = []
  for (const wanted of batch) {
    const { model, limit, count } = wanted
    const group = groups.find(([one]) => one?.model === model && one.limit === limit && one.count === count)
    if (group) group.push(wanted)
    else groups.push([wanted])
  }
  return groups
}

/** A page has no row if its model is out of date. One record more than the page shows whether another page follows. */
const selectBatch = (batch: readonly Wanted[]): Sql => sql`
  select q.n::int as n, ${TOTAL} as total, ${shortLines(sql`page.lines`)} as lines
  from unnest(${batch.map(({ model }) => model.org)}::int[], ${batch.map(({ model }) => model.obj)}::int[],
    ${batch.map(({ model }) => model.version)}::bigint[], ${batch.map(({ limit }) => limit)}::int[],
    ${batch.map(({ count }) => count)}::bool[], ${batch.map(({ model }) => isIndexed(model))}::bool[])
    with ordinality as q (org, obj, version, size, counted, indexed, n)
  cross join lateral (
    select hidden_slugs, renaming from objects where org = q.org and obj = q.obj and version = q.version limit 1) as o
  cross join lateral (
    select string_agg(${pageLine()}, E'\n') as lines from (
      select r.id, r.updated_at, r.version, ${DATA} as data
      from records r where ${OWN} order by r.id desc limit q.size + 1) as r) as page`

class Pages implements PageReads {
  readonly #db: Db
  readonly #long = new LongObjects()
  readonly #share = createSharedBatches<FirstPage, Page>({
    sizeMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    waitMs: WAIT_MS,
    handle: (batch) => this.#handle(batch),
  })

  constructor(db: Db) {
    this.#db = db
  }

  read(page: FirstPage, unbatched: () => Promise<Page>): Promise<Page> {
    return this.#long.has(page.model.obj) ? unbatched() : this.#share(page.model.org, page, unbatched)
  }

  async #handle(batch: readonly Wanted[]): Promise<void> {
    const [only] = batch
    // The statement for one page costs less than the one for many.
    if (only && batch.length === 1) only.decline()
    else await this.#readAll(batch)
  }

  /** Declines pages if the statement fails or is cancelled, and pages whose model is out of date. */
  async #readAll(batch: readonly Wanted[]): Promise<void> {
    const { scope, leave } = joinScopes(batch.map((wanted) => wanted.scope))
    try {
      const groups = samePages(batch)
      const pages = groups.flatMap(([first]) => first ?? [])
      const found = await this.#db.inScope(scope).many<Row>(selectBatch(pages))
      const rows = new Map(found.map((row) => [row.n, row]))
      for (const [at, first] of pages.entries()) {
        const page = this.#pageOf(first, rows.get(at + 1))
        for (const { resolve, decline } of groups[at] ?? []) page ? resolve(page) : decline()
      }
    } catch {
      for (const { decline } of batch) decline()
    } finally {
      leave()
    }
  }

  /** @returns undefined when the row does not have the whole page */
  #pageOf({ model, limit }: Wanted, row: Row | undefined): Page | undefined {
    if (row?.lines && row.lines.length > CHARACTERS_MAX) this.#long.add(model.obj)
    if (row?.lines && row.lines.length > PAGE_BYTES_MAX) return undefined
    if (!row || (!isIndexed(model) && (row.total ?? 0) > COUNT_MAX)) return undefined
    return scannedPage({ ...row, lastKey: null }, limit)
  }
}

export const createPageReads = (db: Db): PageReads => new Pages(db)
