// How many records an object has.
import sql, { type Sql } from 'sql-template-tag'

const ofThis = (table: Sql) => sql`${table} t where t.org = o.org and t.obj = o.obj`

const counting = sql`
  select from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null and a.counting <> 'none'`

/** As model/attributes/object-index.ts has it: counters of records became readable with those of all attributes. */
const isCounted = sql`(
  o.index_state = 'ready' and exists (${counting}) and not exists (${counting} and not a.is_counted))`

/**
 * Of `objects o`, a scalar expression: where it is counted, the counter with what is not folded into it yet, in the
 * statement's one snapshot; a small object's records are counted.
 */
export const recordCount: Sql = sql`(
  case when ${isCounted} then greatest(0,
    (select coalesce(sum(t.n), 0) from ${ofThis(sql`stat_text`)} and t.attr = 0 and t.value = '')
    + (select coalesce(sum(c.n), 0) from stat_changes h cross join lateral unnest(h.attrs, h.ns) as c(attr, n)
       where h.org = o.org and h.obj = o.obj and c.attr = 0))::bigint
  else (select count(*) from ${ofThis(sql`records`)}) end)`
