// Looks up each record by its whole key. For a join or a list of ids, PostgreSQL plans by the average size of objects,
// which is small because most objects are small, and may then scan all records of a large object. A lateral subquery
// with `offset 0` cannot be flattened, so the key lookup is the only plan.
import sql, { empty, join, type Sql } from 'sql-template-tag'

interface SqlObjectKey {
  org: number | Sql
  obj: number | Sql
}

interface Options {
  /** Conditions on `r`. */
  conditions?: readonly Sql[]
  /** A locking clause, such as `for update`. */
  lock?: Sql
}

/** Follows a FROM item: adds `r`, the record with this id, if it exists and meets the conditions. */
export function recordOf(
  { org, obj }: SqlObjectKey,
  id: Sql,
  { conditions = [], lock = empty }: Options = {},
): Sql {
  const all = [sql`r.org = ${org}`, sql`r.obj = ${obj}`, sql`r.id = ${id}`, ...conditions]
  return sql`
    cross join lateral (select r.*, r.ctid as place from records r where ${join(all, ' and ')} offset 0 ${lock}) as r`
}

/**
 * FROM items `i` and `r`: the existing records in the order of their ids. Locks are taken in the same order, so that
 * two writers that lock several records never deadlock. `r.place` is the location of the row in the snapshot of the
 * statement.
 * @param ids uuid[]
 */
export const recordsByIds = (object: SqlObjectKey, ids: Sql, options?: Options): Sql =>
  sql`(select distinct u.id from unnest(${ids}) as u(id) order by u.id) as i ${recordOf(object, sql`i.id`, options)}`
