// One object's best hits.
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
  /** The lower, the better: search/terms.ts. */
  rank: number
  /** The name as it is sorted by. */
  key: string
  slug: string
  value: unknown
}

const KEY_CHARACTERS = 200

/** Sorts records without a name behind all others. */
const NAMELESS = sql`chr(1114111)`

/** Where hits are looked for: queries of ids, of which some may come more than once. */
interface Among {
  /** All of what these give. */
  all: readonly Sql[]
  /** How many results these give together, the first one's first. */
  some: readonly Sql[]
  limit: number
}

/** The newest records, or those older than `before`. */
interface Slice {
  before: string | undefined
  limit: number
}

export interface HitQuery {
  terms: Terms
  limit: number
  from: Among | Slice
  /** Which of the hits; unset: all. */
  condition?: Sql
}

export interface Hits {
  hits: Hit[]
  /** Whether there may be more records than the limit of `from`. */
  isCut: boolean
  /** The oldest record of a slice; null where it is empty. */
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

/** The records that are looked at: common table expressions, of which `possible` is bounded, and FROM items with `r`. */
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

/** @returns at most `limit` hits: by rank, then by name, those without a name last */
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
