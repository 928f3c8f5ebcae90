import sql, { raw } from 'sql-template-tag'
import { afterEach, expect, test } from 'vitest'
import { ensureDatabase } from '../db/database.ts'
import { startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { openPool } from '../db/pool.ts'
import { afterFile } from './after-file.ts'
import { buildTestService } from './build-app.ts'
import { temporaryFolder } from './temporary-folder.ts'

const dataDir = await temporaryFolder('unconfirmed')
const settings = { fsync: 'off', shared_buffers: '32MB', max_wal_senders: '4', wal_level: 'replica' }
const server = await startEmbedded({ dataDir, settings })
await ensureDatabase(server.administration('postgres'), 'crm')
const connection = server.administration('crm')
const pool = openPool({ connection, max: 10, statementTimeoutMs: 30_000, onError: () => undefined })
await migrate(pool)
afterFile(async () => {
  await pool.close()
  await server.stop()
})

const service = await buildTestService({ requestDeadlineSeconds: 1 }, undefined, { pool, connection })
const org = await service.org()

async function requireStandbys(names: string): Promise<void> {
  await pool.run(raw(`alter system set synchronous_standby_names = '${names}'`))
  await pool.run(sql`select pg_reload_conf()`)
  const current = () => pool.value(sql`select current_setting('synchronous_standby_names')`)
  await expect.poll(current).toBe(names)
}
afterEach(() => requireStandbys(''))

const create = (name: string, headers: object = {}) =>
  service.inject({
    method: 'POST',
    url: '/api/v1/objects/companies/records',
    headers: { authorization: `Bearer ${org.key}`, ...headers },
    payload: { data: { name } },
  })
const countOf = (name: string) =>
  pool.value<number>(
    sql`select count(*) as records from records where org = ${org.org} and data->>'name' = ${name}`,
  )
const UNKNOWN = { error: 'unavailable', details: { committed: 'unknown' } }

test('a create that no standby confirms in time returns 503 with an unknown outcome', async () => {
  await requireStandbys('absent')
  const response = await create('plain')
  expect(response.statusCode).toBe(503)
  expect(response.headers['retry-after']).toBe('2')
  expect(response.json()).toMatchObject(UNKNOWN)
})

test('a create repeated with its Idempotency-Key is acknowledged after a confirmation, and executed once', async () => {
  const headers = { 'idempotency-key': 'settled' }
  await requireStandbys('absent')
  expect((await create('settled', headers)).json()).toMatchObject(UNKNOWN)
  // The record is only on this server: if this server is lost now, the record is lost too.
  expect(await countOf('settled')).toBe(1)
  expect((await create('settled', headers)).json()).toMatchObject(UNKNOWN)
  await requireStandbys('')
  const response = await create('settled', headers)
  expect(response.statusCode).toBe(201)
  expect(response.headers['idempotent-replayed']).toBe('true')
  expect(await countOf('settled')).toBe(1)
})
