// What HTTP requests of workflows may use by name.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

export const selectSealed = (db: Db, org: number, names: readonly string[]) =>
  db.many<{ name: string; value: Buffer }>(sql`
    select name, value from workflow_secrets where org = ${org} and name = any(${names}::text[])`)
