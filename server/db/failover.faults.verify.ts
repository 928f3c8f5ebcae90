import type { ClientConfig } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { ensureDatabase } from './database.ts'
import { type EmbeddedServer, startEmbedded } from './embedded.ts'
import { type Db, openPool, type Pool, type PoolOptions } from './pool.ts'
import { createScope } from './scope.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

const settings = { fsync: 'off', shared_buffers: '16MB', max_wal_senders: '4', wal_level: 'replica' }
const dataDir = await temporaryFolder('failover')
let server: EmbeddedServer = await startEmbedded({ dataDir, settings })
await ensureDatabase(server.administration('postgres'), 'things')
const open = (connection: ClientConfig, more: Partial<PoolOptions> = {}) =>
  openPool({ connection, max: 3, statementTimeoutMs: 30_000, onError: () => undefined, ...more })

let admin: Pool
let pool: Pool
beforeEach(async () => {
  const connection = server.administration('things')
  admin = open(connection, { max: 1, settings: { default_transaction_read_only: 'off' } })
  pool = open(connection)
  await admin.run(sql`create table if not exists things (n int primary key)`)
  await admin.run(sql`truncate things`)
})
afterEach(async () => {
  await setSystem('synchronous_standby_names', '')
  await setSystem('default_transaction_read_only', 'off')
  await pool.close()
  await admin.close()
})
afterAll(async () => {
  await server.stop()
})

/** Changes a setting of the whole server, and waits until open sessions have read it. */
async function setSystem(name: string, value: string): Promise<void> {
  await admin.run(raw(`alter system set ${name} = '${value}'`))
  await admin.run(sql`select pg_reload_conf()`)
  const other = sql`select reset_val as value from pg_settings where name = ${name}`
  await expect.poll(() => pool.value(other)).toBe(value)
}

const insert = (db: Db, n: number) => db.run(sql`insert into things values (${n})`)
const things = async () =>
  (await admin.many<{ n: number }>(sql`select n from things order by n`)).map(({ n }) => n)
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const pidOf = (db: Db) => db.value<number>(sql`select pg_backend_pid() as pid`)
const end = (pid: number) => admin.run(sql`select pg_terminate_backend(${pid}::int)`)
const waitingForStandby = () =>
  admin.maybeValue<number>(sql`select pid from pg_stat_activity where wait_event = 'SyncRep'`)

/** Ends the wait of a commit for a standby that never answers. */
async function cancelWait(how: 'cancel' | 'terminate'): Promise<void> {
  await expect.poll(waitingForStandby).toBeDefined()
  const pid = await waitingForStandby()
  if (how === 'cancel') await admin.run(sql`select pg_cancel_backend(${pid}::int)`)
  else await end(Number(pid))
}

const writes: [string, (db: Db) => Promise<unknown>][] = [
  ['a transaction', (db) => db.transaction((tx) => insert(tx, 1))],
  ['a statement', (db) => insert(db, 1)],
]

test.each(writes)('%s whose wait for a standby is cancelled is not acknowledged', async (_, write) => {
  await setSystem('synchronous_standby_names', 'absent')
  const scope = createScope()
  const writing = reasonOf(write(pool.inScope(scope)))
  await cancelWait('cancel')
  const reason = await writing
  expect(reason).toMatchObject({ code: '08007' })
  expect(isDatabaseUnavailable(reason)).toBe(true)
  expect(scope.mayHaveCommitted).toBe(true)
  // The row is in this server, written once, and would be lost with the server. PostgreSQL warns before the commit
  // becomes visible to other sessions.
  await expect.poll(things).toEqual([1])
  expect(pool.usage.total).toBe(0)
})

test.each(writes)(
  '%s whose session ends during the wait for a standby is not acknowledged',
  async (_, write) => {
    await setSystem('synchronous_standby_names', 'absent')
    const scope = createScope()
    const writing = reasonOf(write(pool.inScope(scope)))
    await cancelWait('terminate')
    expect(isDatabaseUnavailable(await writing)).toBe(true)
    expect(scope.mayHaveCommitted).toBe(true)
    await expect.poll(things).toEqual([1])
  },
)

test('a request whose time ends while its commit waits for a standby is not acknowledged', async () => {
  await setSystem('synchronous_standby_names', 'absent')
  const scope = createScope()
  const writing = reasonOf(pool.inScope(scope).transaction((tx) => insert(tx, 1)))
  await expect.poll(waitingForStandby).toBeDefined()
  scope.cut()
  expect(await writing).toMatchObject({ code: '08007' })
  expect(scope.mayHaveCommitted).toBe(true)
})

test('a warning that has nothing to do with standbys does not fail a commit', async () => {
  await pool.transaction((tx) => tx.run(sql`do $$ begin raise warning 'careful'; end $$`))
  await pool.run(sql`do $$ begin raise warning 'careful'; end $$`)
  expect(pool.usage.total).toBe(1)
})

test.each(writes)(
  '%s that meets a read-only server is tried again on another connection',
  async (_, write) => {
    const old = await pidOf(pool)
    // In its first second no connection is replaced.
    await pool.run(sql`select pg_sleep(1)`)
    await setSystem('default_transaction_read_only', 'on')
    const writing = write(pool)
    await setSystem('default_transaction_read_only', 'off')
    await writing
    expect(await things()).toEqual([1])
    expect(await pidOf(pool)).not.toBe(old)
  },
)

test('writes on a server that stays read-only fail after some tries', async () => {
  await setSystem('default_transaction_read_only', 'on')
  expect(await reasonOf(insert(pool, 1))).toMatchObject({ code: '25006' })
  expect(await reasonOf(pool.transaction((tx) => insert(tx, 1)))).toMatchObject({ code: '25006' })
})

test('a transaction whose session is ended before its commit is tried again', async () => {
  const pids: number[] = []
  await pool.transaction(async (tx) => {
    pids.push(await pidOf(tx))
    await insert(tx, 1)
    if (pids.length === 1) await end(pids[0] ?? 0)
    await insert(tx, 2)
  })
  expect(await things()).toEqual([1, 2])
  expect(new Set(pids).size).toBe(2)
})

test('a transaction that continues on a connection known as ended is tried again', async () => {
  let tries = 0
  await pool.transaction(async (tx) => {
    tries++
    if (tries === 1) {
      await end(await pidOf(tx))
      const message = async () => ((await reasonOf(pidOf(tx))) as Error).message
      await expect.poll(message).toContain('is not queryable')
    }
    await insert(tx, 2)
  })
  expect([await things(), tries]).toEqual([[2], 2])
})

test('a read whose session is ended is tried again', async () => {
  const reading = pool.value<boolean>(sql`select pg_sleep(1) is not null as slept`)
  const sleeping = () =>
    admin.maybeValue<number>(sql`select pid from pg_stat_activity where wait_event = 'PgSleep'`)
  await expect.poll(sleeping).toBeDefined()
  await end(Number(await sleeping()))
  expect(await reading).toBe(true)
})

test('a write whose session is ended is not tried again, and counts as possibly committed', async () => {
  const scope = createScope()
  const writing = reasonOf(pool.inScope(scope).run(sql`insert into things select 1 from pg_sleep(30)`))
  const sleeping = () =>
    admin.maybeValue<number>(sql`select pid from pg_stat_activity where wait_event = 'PgSleep'`)
  await expect.poll(sleeping).toBeDefined()
  await end(Number(await sleeping()))
  expect(await writing).toMatchObject({ code: '57P01' })
  expect(scope.mayHaveCommitted).toBe(true)
})

test('queries during a restart of the server are answered after the restart', async () => {
  await server.stop()
  const reading = pool.value<number>(sql`select count(*) as things from things`)
  const writing = pool.transaction((tx) => insert(tx, 1))
  server = await startEmbedded({ dataDir, settings })
  expect(await reading).toBeTypeOf('number')
  await writing
  expect(await things()).toEqual([1])
})

test('a write is not tried again after the time of its request is over', async () => {
  await setSystem('default_transaction_read_only', 'on')
  const scope = createScope()
  const writing = reasonOf(insert(pool.inScope(scope), 1))
  setTimeout(() => scope.cut(), 100)
  const startedAt = performance.now()
  await writing
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
