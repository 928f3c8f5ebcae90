// Statements that find the best hits of one object.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { type ObjectModel, StaleModel } from '../model/attributes/models.ts'
import { recordOf } from '../model/objects/record-lookup.ts'
import { lower } from '../records/filters/comparable.ts'
import { recordNameSql } from '../records/names/store.ts'
import { isCurrent, visibleData } from '../records/rows/stored-record.ts'
import type { Terms } from './terms.ts'

export interface Hit {
  id: string
  name: string | null
  /** A lower rank is better: search/terms.ts. */
  rank: number
  /** The sort key of the name. */
  key: string
  slug: string
  value: unknown
}

const KEY_CHARACTERS = 200

/** Sorts records without a name last. */
const NAMELESS = sql`chr(1114111)`

/** The records to search: queries of ids, which may return an id several times. */
interface Among {
  /** Queries of which all ids are searched. */
  all: readonly Sql[]
  /** Queries of which at most `limit` ids in total are searched, those of the first query first. */
  some: readonly Sql[]
  limit: number
}

/** The newest records, or the newest records before `before`. */
interface Slice {
  before: string | undefined
  limit: number
}

export interface HitQuery {
  terms: Terms
  limit: number
  from: Among | Slice
  /** Condition on the hits; undefined for all hits. */
  condition?: Sql
}

export interface Hits {
  hits: Hit[]
  /** Whether the limit of `from` was reached, so that there may be more records. */
  isCut: boolean
  /** The oldest record of a slice; null if the slice is empty. */
  last: string | null
}

const NONE = sql`select null::uuid as id where false`

const union = (queries: readonly Sql[]) =>
  queries.length === 0
    ? NONE
    : join(
        queries.map((query) => sql`(${query})`),
        ' union all ',
      )

/** The records to search: common table expressions, with the limited ids in `possible`, and FROM items with `r`. */
function lookedAt(model: ObjectModel, from: Among | Slice): { before: Sql; records: Sql } {
  const { org, obj } = model
  if ('some' in from) {
    const before = sql`
      possible as materialized (select id from (${union(from.some)}) as i limit ${from.limit}),
      ids as materialized (select distinct id from (select id from possible union all ${union(from.all)}) as i)`
    return { before, records: sql`ids i ${recordOf(model, sql`i.id`)}` }
  }
  const older = from.before === undefined ? empty : sql`and r.id < ${from.before}::uuid`
  const before = sql`
    possible as materialized (
      select r.* from records r where r.org = ${org} and r.obj = ${obj} ${older} order by r.id desc limit ${from.limit})`
  return { before, records: sql`possible r` }
}

type Row = Omit<Hit, 'id'> & { id: string | null; fresh: boolean; among: number; last: string | null }

/** @returns at most `limit` hits, by rank and then by name; records without a name are last */
export async function selectHits(
  db: Db,
  model: ObjectModel,
  { terms, limit, from, condition = terms.found.condition }: HitQuery,
): Promise<Hits> {
  const { org, obj } = model
  const name = recordNameSql(model)
  const { before, records } = lookedAt(model, from)
  const rows = await db.many<Row>(sql`
    with ${before}, best as (
      select r.id, ${name} as name, ${terms.rank} as rank,
        left(coalesce(${lower(name)}, ${NAMELESS}), ${KEY_CHARACTERS}::int) collate "C" as key,
        ${terms.slug} as slug, ${visibleData(model)} as data
      from ${records}
      where r.org = ${org} and r.obj = ${obj} and ${condition}
      order by 3, 4, 1 limit ${limit})
    select state.fresh, state.among, state.last, best.id, best.name, best.rank, best.key, best.slug,
      best.data->best.slug as value
    from (
      select ${isCurrent(model)} as fresh, (select count(*) from possible) as among,
        (select id from possible order by id limit 1) as last
    ) as state left join best on true order by best.rank, best.key, best.id`)
  const [first] = rows
  if (!first?.fresh) throw new StaleModel()
  const hits = rows.flatMap(({ id, name, rank, key, slug, value }) =>
    id === null ? [] : [{ id, name, rank, key, slug, value }],
  )
  return { hits, isCut: first.among === from.limit, last: first.last }
}
