// Objects whose records may have values from before the current normalization: rows of value_rewrites, until a job
// (server/records/rewrites) has processed all records.
import sql, { type Sql } from 'sql-template-tag'

interface ObjectRef {
  org: number
  obj: number
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Whether the job has records of the object left. The number may also be a column of a statement. */
export const hasOldValues = ({ org, obj }: { org: number | Sql; obj: number | Sql }): Sql =>
  sql`exists (select from value_rewrites w where w.org = ${org} and w.obj = ${obj})`

/** Values return to the records of an object, or are shown again, so the job processes all its records again. */
export const rewriteAgain = ({ org, obj }: ObjectRef, where: Sql): Sql => sql`
  insert into value_rewrites (org, obj) select ${org}::int, ${obj}::int where ${where}
  on conflict (org, obj) do update set after = default`

/**
 * Records were restored, so the job processes the restored records and all later ones.
 * @param returned rows with the ids of records that may have old values
 */
export const rewriteFrom = ({ org, obj }: ObjectRef, returned: Sql): Sql => sql`
  insert into value_rewrites (org, obj, after)
  select ${org}::int, ${obj}::int, coalesce((
    select r.id from records r where r.org = ${org}::int and r.obj = ${obj}::int and r.id < first.id
    order by r.id desc limit 1), ${BEFORE_ALL}::uuid)
  from (select b.id from ${returned} as b order by b.id limit 1) as first
  on conflict (org, obj) do update set after = least(value_rewrites.after, excluded.after)`
