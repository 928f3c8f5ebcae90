import sql, { type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../attributes/models.ts'

/** Values from before the present rules return to the records of an object: the job looks at all of them. */
export const rewriteAgain = ({ org, obj }: Pick<ObjectModel, 'org' | 'obj'>, where: Sql): Sql => sql`
  insert into value_rewrites (org, obj) select ${org}::int, ${obj}::int where ${where}
  on conflict (org, obj) do update set after = default`
