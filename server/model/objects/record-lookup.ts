// Records by their ids, each looked up by its whole key. As a join, or as one of a list of ids, PostgreSQL plans it by
// how many records it thinks an object to have: few, where most objects are small. Of a large one it then goes through
// all. A lateral subquery that it cannot take apart leaves it no choice.
import sql, { empty, join, type Sql } from 'sql-template-tag'

interface Place {
  org: number | Sql
  obj: number | Sql
}

interface Options {
  /** On `r`. */
  conditions?: readonly Sql[]
  /** `for update` and the like. */
  lock?: Sql
}

/** Goes on after a FROM item: `r`, the record whose id is `id` there, if it is there and meets the conditions. */
export function recordOf({ org, obj }: Place, id: Sql, { conditions = [], lock = empty }: Options = {}): Sql {
  const all = [sql`r.org = ${org}`, sql`r.obj = ${obj}`, sql`r.id = ${id}`, ...conditions]
  return sql`
    cross join lateral (select r.*, r.ctid as place from records r where ${join(all, ' and ')} offset 0 ${lock}) as r`
}

/**
 * FROM items `i` and `r`: those of the records that are there, in the order of their ids. Locked ones too, so that two
 * who lock several never wait for each other. `r.place`: where the row is, as this statement sees it.
 * @param ids uuid[]
 */
export const recordsByIds = (place: Place, ids: Sql, options?: Options): Sql =>
  sql`(select distinct u.id from unnest(${ids}) as u(id) order by u.id) as i ${recordOf(place, sql`i.id`, options)}`
