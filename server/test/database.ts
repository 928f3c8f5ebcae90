// A database per test file, copied from the migrated template, dropped afterwards.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import sql from 'sql-template-tag'
import { inject } from 'vitest'
import type { Pooled } from '../db/connections.ts'
import { SERVICE_ROLE } from '../db/embedded/service-role.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { afterFile } from './after-file.ts'
import { TEMPLATE, type TestServer } from './global-setup.ts'

const postgres = () => inject('postgres')
/** Through PgBouncer, where there is one. */
const asService = (): TestServer & Pooled => {
  const port = inject('poolerPort')
  const server = { ...postgres(), user: SERVICE_ROLE }
  return port === undefined ? server : { ...server, host: '127.0.0.1', port, isPooled: true }
}

/** One for all files of a worker, since they share modules: connecting takes nearly as long as copying a database. */
let administration: pg.Pool | undefined

function openAdministration(): pg.Pool {
  const pool = new pg.Pool({
    ...postgres(),
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  // The server may end before the worker does.
  pool.on('error', () => undefined)
  return pool
}

async function administer(statement: string): Promise<void> {
  administration ??= openAdministration()
  await administration.query(statement)
}

/** For a service in a separate process. */
export function testDatabaseUrl(database: string): string {
  const { user, password, host, port } = asService()
  const url = new URL(`postgresql://localhost:${port}/${database}`)
  url.username = user
  url.password = password
  url.searchParams.set('host', host)
  return url.href
}

export interface TestDatabase {
  pool: Pool
  connection: pg.ClientConfig & Pooled & { database: string }
}

/** The database is dropped after the tests of the file, unless the caller gives another end. */
async function copyDatabase(template: string, atEnd = afterFile): Promise<TestDatabase> {
  const database = `test_${randomBytes(8).toString('hex')}`
  await administer(
    `create database ${database} template ${template} strategy file_copy owner ${SERVICE_ROLE}`,
  )
  const connection = { ...asService(), database }
  const pool = openPool({
    connection,
    max: 10,
    statementTimeoutMs: 30_000,
    onError: () => undefined,
  })
  atEnd(async () => {
    await pool.close()
    await administer(`drop database ${database} with (force)`)
  })
  return { pool, connection }
}

export async function createTestDatabase(atEnd = afterFile): Promise<TestDatabase> {
  const created = await copyDatabase(TEMPLATE, atEnd)
  // All are copies of one template, and are told apart by it.
  await created.pool.run(sql`update installation set id = gen_random_uuid()`)
  return created
}

/** Without a migration. */
export const createEmptyDatabase = (): Promise<TestDatabase> => copyDatabase('template0')
