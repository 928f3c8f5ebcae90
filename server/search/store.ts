// One object's best hits.
import sql from 'sql-template-tag'
import { type ObjectModel, STALE } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { lower } from '../records/filters.ts'
import { nameOf } from '../records/names-store.ts'
import { isCurrent } from '../records/store.ts'
import type { termsOf } from './terms.ts'

export interface Hit {
  id: string
  name: string | null
  isPrefix: boolean
  /** The name as it is sorted by. */
  key: string
  slug: string
  value: unknown
}

const KEY_CHARACTERS = 200

/** @returns STALE, or at most `limit` hits: prefixes first, then by name */
export async function selectHits(
  db: Db,
  model: ObjectModel,
  { terms, limit }: { terms: NonNullable<ReturnType<typeof termsOf>>; limit: number },
): Promise<Hit[] | typeof STALE> {
  const { org, obj } = model
  const name = nameOf(model)
  const rows = await db.many<Omit<Hit, 'id'> & { id: string | null; fresh: boolean }>(sql`
    with best as (
      select r.id, ${name} as name, ${terms.isPrefix} as "isPrefix",
        left(${lower(sql`coalesce(${name}, '')`)}, ${KEY_CHARACTERS}::int) collate "C" as key,
        ${terms.slug} as slug, r.data
      from records r where r.org = ${org} and r.obj = ${obj} and ${terms.matches}
      order by 3 desc, 4, 1 limit ${limit})
    select state.fresh, best.id, best.name, best."isPrefix", best.key, best.slug, best.data->best.slug as value
    from (select ${isCurrent(model)} as fresh) as state left join best on true`)
  if (!rows[0]?.fresh) return STALE
  return rows.flatMap(({ id, name, isPrefix, key, slug, value }) =>
    id === null ? [] : [{ id, name, isPrefix, key, slug, value }],
  )
}
