import sql, { raw } from 'sql-template-tag'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { createTestDatabase } from '../../test/database.ts'
import { startFaultProxy, through } from '../../test/faults/proxy.ts'
import { createReadiness, openReadinessPool } from './readiness.ts'

const { pool: direct, connection } = await createTestDatabase()

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open({ skewMs = 0 } = {}) {
  const proxy = await startFaultProxy(connection)
  const db = openReadinessPool(through(proxy, connection))
  closing.push(
    () => proxy.close(),
    () => db.close(),
  )
  const readiness = createReadiness({
    config: readConfig({}),
    db,
    connection,
    now: () => Date.now() + skewMs,
  })
  return { proxy, readiness }
}

async function withSetting(setting: string): Promise<void> {
  await direct.run(raw(`alter database ${connection.database} set ${setting}`))
  closing.push(() => direct.run(raw(`alter database ${connection.database} reset all`)))
}

test('is confirmed by a healthy service', async () => {
  const { readiness } = await open()
  // A busy machine may be late for the first connection.
  await expect.poll(readiness).toEqual({ isReady: true, conditions: [] })
})

test('is refused while the database is read-only', async () => {
  await withSetting('default_transaction_read_only = on')
  const { readiness } = await open()
  await expect.poll(readiness).toEqual({
    isReady: false,
    conditions: [expect.objectContaining({ check: 'writing', detail: expect.stringContaining('read-only') })],
  })
})

test('is refused within 2 s while the database does not answer, and confirmed when it does again', async () => {
  const { proxy, readiness } = await open()
  await expect.poll(async () => (await readiness()).isReady).toBe(true)
  proxy.hold()
  await expect.poll(async () => (await readiness()).isReady).toBe(false)
  const startedAt = performance.now()
  expect(await readiness()).toMatchObject({ isReady: false, conditions: [{ check: 'database' }] })
  expect(performance.now() - startedAt).toBeLessThan(2000)
  proxy.release()
  await expect.poll(async () => (await readiness()).isReady).toBe(true)
})

test('is refused by a process whose database has a newer version', async () => {
  await direct.run(
    sql`insert into schema_migrations (version, name, checksum) values (9999, '9999-x.sql', 'x')`,
  )
  closing.push(() => direct.run(sql`delete from schema_migrations where version = 9999`))
  const { readiness } = await open()
  await expect.poll(readiness).toMatchObject({ isReady: false, conditions: [{ check: 'migrations' }] })
})

test.each([-120_000, 120_000])('is confirmed with clocks %i ms apart, which are reported', async (skewMs) => {
  const { readiness } = await open({ skewMs })
  await expect
    .poll(readiness)
    .toMatchObject({ isReady: true, conditions: [{ check: 'clock', status: 'fail' }] })
})
