// Statements about secrets that HTTP requests of workflows use by name.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { WorkflowSecret } from '../../../contract/workflow-dashboard.ts'
import type { Db } from '../../db/pool.ts'
import { userRef } from '../store.ts'

const select = (org: number, condition: Sql) => sql`
  select s.name, s.updated_at as "updatedAt", ${userRef} as "updatedBy", coalesce((
    select json_agg(json_build_object('id', w.id, 'name', w.name) order by w.name)
    from workflows w join workflow_versions v on v.org = w.org and v.workflow = w.id and v.version = w.version
    where w.org = s.org and v.definition::text ~ ('\\msecrets\\.' || s.name || '\\M')), '[]') as "usedBy"
  from workflow_secrets s left join users u on u.id = s.updated_by
  where s.org = ${org} ${condition} order by s.name`

/** By name. */
export const selectSecrets = (db: Db, org: number) => db.many<WorkflowSecret>(select(org, empty))

export const getSecret = (db: Db, org: number, name: string) =>
  db.one<WorkflowSecret>(select(org, sql`and s.name = ${name}`))

/** Locks the organization, so that secrets can be counted. @returns the number of its other secrets */
export async function countOtherSecrets(tx: Db, org: number, name: string): Promise<number> {
  await tx.run(sql`select from organizations where org = ${org} for no key update`)
  return tx.value<number>(
    sql`select count(*) as n from workflow_secrets where org = ${org} and name <> ${name}`,
  )
}

interface SecretRow {
  name: string
  /** Sealed. */
  value: Buffer
  updatedBy: string | null
}

export const putSecretRow = (tx: Db, org: number, { name, value, updatedBy }: SecretRow) =>
  tx.run(sql`
    insert into workflow_secrets (org, name, value, updated_by) values (${org}, ${name}, ${value}, ${updatedBy})
    on conflict (org, name) do update set value = excluded.value, updated_by = excluded.updated_by, updated_at = now()`)

/** @returns 0 if the secret does not exist */
export const deleteSecretRow = (db: Db, org: number, name: string) =>
  db.run(sql`delete from workflow_secrets where org = ${org} and name = ${name}`)

/** The encrypted values of the existing secrets of these names. */
export const selectSealed = (db: Db, org: number, names: readonly string[]) =>
  db.many<{ name: string; value: Buffer }>(sql`
    select name, value from workflow_secrets where org = ${org} and name = any(${names}::text[])`)
