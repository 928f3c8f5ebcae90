// Objects whose records may have values from before the present rules about their form: rows of value_rewrites, until a
// job (server/records/rewrites) has looked at all records.
import sql, { type Sql } from 'sql-template-tag'

interface ObjectRef {
  org: number
  obj: number
}

/** Whether the job has still to look at records of the object; columns of a statement name it too. */
export const hasOldValues = ({ org, obj }: { org: number | Sql; obj: number | Sql }): Sql =>
  sql`exists (select from value_rewrites w where w.org = ${org} and w.obj = ${obj})`

/** Values return to the records of an object, or are shown again: the job looks at all of them. */
export const rewriteAgain = ({ org, obj }: ObjectRef, where: Sql): Sql => sql`
  insert into value_rewrites (org, obj) select ${org}::int, ${obj}::int where ${where}
  on conflict (org, obj) do update set after = default`
