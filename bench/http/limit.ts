// The limit of the service: the same rows in a separate database on the same server.
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import sql from 'sql-template-tag'
import { ensureDatabase } from '../../server/db/database.ts'
import { migrate } from '../../server/db/migrate.ts'
import { type Db, openPool, type Pool } from '../../server/db/pool.ts'
import { ask, startPartner } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'
import type { BenchObject } from './fixture.ts'
import type { LimitParams } from './limit-server.ts'

const SERVER = fileURLToPath(new URL('./limit-server.ts', import.meta.url))
const DATABASE = 'bench_limit'
const COPY_BATCH_ROWS = 5000
const STATEMENT_TIMEOUT_MS = 60_000

interface RecordRow {
  id: string
  org: number
  obj: number
  updated_at: string
  version: number
  data: string
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** @returns the last id that was copied; undefined when there is none after `after` */
async function copySome(from: Db, to: Db, org: number, after: string): Promise<string | undefined> {
  const rows = await from.many<RecordRow>(sql`
    select id, org, obj, updated_at::text, version, data::text from records
    where org = ${org} and id > ${after} order by id limit ${COPY_BATCH_ROWS}`)
  await to.run(sql`
    insert into records (org, obj, id, updated_at, version, data)
    select ${org}, obj, id, updated_at, version, data from unnest(
      ${rows.map(({ obj }) => obj)}::int[], ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map((row) => row.updated_at)}::timestamptz[], ${rows.map(({ version }) => version)}::int[],
      ${rows.map(({ data }) => data)}::jsonb[]) as r (obj, id, updated_at, version, data)`)
  return rows.at(-1)?.id
}

async function copyRecords(from: Db, to: Db, org: number): Promise<void> {
  for (let last: string | undefined = NO_ID; last !== undefined; ) last = await copySome(from, to, org, last)
}

/** Makes the table in which upserts find people by email address. Creates do not write to it. */
async function makeEmails(db: Db): Promise<void> {
  await db.run(sql`
    create table emails (org int, obj int, email text, id uuid not null, primary key (org, obj, email))`)
  await db.run(sql`
    insert into emails select org, obj, data->>'email', id from records where data ? 'email'`)
}

/** Makes a database with the service's migrations, so that `records` is defined the same, and copies its rows. */
export async function openLimitDatabase(
  lab: Lab,
  connection: ClientConfig,
  { from, orgs }: { from: Db; orgs: readonly number[] },
): Promise<{ pool: Pool; connection: ClientConfig }> {
  await ensureDatabase(connection, DATABASE)
  const own = { ...connection, database: DATABASE }
  const onError = (error: Error) => lab.tell(error.message)
  const pool = openPool({ connection: own, max: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError })
  lab.onClose(() => pool.close())
  await migrate(pool)
  for (const org of orgs) await copyRecords(from, pool, org)
  await makeEmails(pool)
  return { pool, connection: own }
}

// The session settings of the service (server/db/pool.ts).
const SESSION =
  '-c timezone=UTC -c jit=off -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000'

export async function startLimit(
  lab: Lab,
  params: { connection: ClientConfig; poolSize: number; objects: BenchObject[]; flags: readonly string[] },
): Promise<{ url: string; pid: number }> {
  const { flags, ...rest } = params
  const child = startPartner(lab, { name: 'The limit', file: SERVER, flags })
  const open: LimitParams = { ...rest, session: SESSION }
  const { url } = await ask<{ url: string }>(child, open)
  return { url, pid: child.pid }
}
