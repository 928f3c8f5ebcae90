// One object's best hits.
import sql, { join, type Sql } from 'sql-template-tag'
import { type ObjectModel, StaleModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { recordOf } from '../objects/record-lookup.ts'
import { lower } from '../records/filters/comparable.ts'
import { nameOf } from '../records/names-store.ts'
import { isCurrent, visibleData } from '../records/store.ts'
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
export interface Among {
  /** All of what these give. */
  all: readonly Sql[]
  /** How many results these give together, the first one's first. */
  some: readonly Sql[]
  limit: number
}

export interface HitQuery {
  terms: Terms
  limit: number
  /** Unset: all records are looked at. */
  among?: Among
  /** Which of the hits; unset: all. */
  condition?: Sql
}

export interface Hits {
  hits: Hit[]
  /** Whether there were more of `some` than its limit. */
  isCut: boolean
}

const NONE = sql`select null::uuid as id where false`

const union = (queries: readonly Sql[]) =>
  queries.length === 0
    ? NONE
    : join(
        queries.map((query) => sql`(${query})`),
        ' union all ',
      )

const withIds = ({ all, some, limit }: Among) => sql`
  possible as materialized (select id from (${union(some)}) as i limit ${limit}),
  ids as materialized (select distinct id from (select id from possible union all ${union(all)}) as i),`

type Row = Omit<Hit, 'id'> & { id: string | null; fresh: boolean; among: number }

/** @returns at most `limit` hits: by rank, then by name, those without a name last */
export async function selectHits(
  db: Db,
  model: ObjectModel,
  { terms, limit, among, condition = terms.found.condition }: HitQuery,
): Promise<Hits> {
  const { org, obj } = model
  const name = nameOf(model)
  const rows = await db.many<Row>(sql`
    with ${among ? withIds(among) : sql``} best as (
      select r.id, ${name} as name, ${terms.rank} as rank,
        left(coalesce(${lower(name)}, ${NAMELESS}), ${KEY_CHARACTERS}::int) collate "C" as key,
        ${terms.slug} as slug, ${visibleData(model)} as data
      from ${among ? sql`ids i ${recordOf(model, sql`i.id`)}` : sql`records r`}
      where r.org = ${org} and r.obj = ${obj} and ${condition}
      order by 3, 4, 1 limit ${limit})
    select state.fresh, state.among, best.id, best.name, best.rank, best.key, best.slug,
      best.data->best.slug as value
    from (
      select ${isCurrent(model)} as fresh, ${among ? sql`(select count(*) from possible)` : sql`0`} as among
    ) as state left join best on true order by best.rank, best.key, best.id`)
  const [first] = rows
  if (!first?.fresh) throw new StaleModel()
  const hits = rows.flatMap(({ id, name, rank, key, slug, value }) =>
    id === null ? [] : [{ id, name, rank, key, slug, value }],
  )
  return { hits, isCut: among !== undefined && first.among === among.limit }
}
