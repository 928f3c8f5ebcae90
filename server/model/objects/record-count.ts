// The number of records of an object.
import sql, { type Sql } from 'sql-template-tag'

const ofThis = (table: Sql) => sql`${table} t where t.org = o.org and t.obj = o.obj`

const counting = sql`
  select from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null and a.counting <> 'none'`

/** As in model/attributes/object-index.ts: record counters become readable together with those of all attributes. */
const isCounted = sql`(
  o.index_state = 'ready' and exists (${counting}) and not exists (${counting} and not a.is_counted))`

/**
 * Scalar expression on `objects o`. If the object has counters, the counter plus its pending changes, in the snapshot
 * of the statement. Otherwise the records of the small object are counted.
 */
export const recordCount: Sql = sql`(
  case when ${isCounted} then greatest(0,
    (select coalesce(sum(t.n), 0) from ${ofThis(sql`stat_text`)} and t.attr = 0 and t.value = '')
    + (select coalesce(sum(c.n), 0) from stat_changes h cross join lateral unnest(h.attrs, h.ns) as c(attr, n)
       where h.org = o.org and h.obj = o.obj and c.attr = 0))::bigint
  else (select count(*) from ${ofThis(sql`records`)}) end)`
