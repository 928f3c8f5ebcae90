// Failing replicas: the primary answers their reads.
import pino from 'pino'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { serverOf } from '../../config/replica-addresses.ts'
import { openReplicas } from '../../entry/open-replicas.ts'
import { checkReplicas } from '../../operations/diagnosis/replicas.ts'
import { buildReplicatedService } from '../../test/replicated-service.ts'
import { readAtReplica } from './replica-reads.ts'

const { primary, standby, service, replicas, reads, caughtUp } = await buildReplicatedService()
const { ctx } = service
const org = await service.org()
const NAMES = Array.from({ length: 30 }, (_, index) => `Company ${index}`)

const isStandby = sql`select pg_is_in_recovery() as "isStandby"`
const countRecords = sql`select count(*)::int8 as count from records where org = ${org.org}`
/** Reads on the replica, or on the primary if that fails. */
const asList = <Result>(work: Parameters<typeof readAtReplica<typeof ctx, Result>>[2]) =>
  readAtReplica(ctx, { kind: 'list', org: org.org }, work)
const list = () => org.get<{ records: object[] }>('/objects/companies/records?limit=50&consistency=eventual')

beforeAll(async () => {
  const records = NAMES.map((name) => ({ data: { name } }))
  expect((await org.post('/objects/companies/records/bulk', { records })).status).toBe(200)
  await caughtUp()
})

test('a read that replay cancels on the replica is repeated on the primary', async () => {
  const before = reads('list', 'conflict')
  const seen: boolean[] = []
  const count = await asList(async ({ db }) => {
    const here = await db.value<boolean>(isStandby)
    seen.push(here)
    if (!here) return db.value<number>(countRecords)
    const held = db.value<number>(sql`
      select count(*)::int8 as count from records, (select pg_sleep(10) offset 0) as slept where org = ${org.org}`)
    // The statement may be cancelled before its promise is returned.
    held.catch(() => undefined)
    // The replayed lock of the primary conflicts with the statement on the standby.
    await expect
      .poll(() =>
        standby.pool.value(sql`select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'`),
      )
      .toBe(1)
    await primary.pool.transaction((tx) => tx.run(sql`lock table records in access exclusive mode`))
    return held
  })
  expect(seen).toEqual([true, false])
  expect(count).toBe(NAMES.length)
  expect(reads('list', 'conflict')).toBe(before + 1)
})

test('a read whose session on the replica ends is repeated on the primary', async () => {
  const before = reads('list', 'failed')
  const count = await asList(async ({ db }) => {
    if (await db.value<boolean>(isStandby))
      await db.value(sql`select pg_terminate_backend(pg_backend_pid()) as ended`)
    return db.value<number>(countRecords)
  })
  expect(count).toBe(NAMES.length)
  expect(reads('list', 'failed')).toBe(before + 1)
})

test('no list fails when a replica stops, and the replica is read again after its restart', async () => {
  const replies: Promise<{ status: number; body: { records: object[] } }>[] = []
  const stopping = standby.stop()
  for (let sent = 0; sent < 40; sent++) {
    replies.push(list())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await stopping
  replies.push(list())
  for (const { status, body } of await Promise.all(replies)) {
    expect(status).toBe(200)
    expect(body.records).toHaveLength(NAMES.length)
  }
  await replicas.poll()
  expect(replicas.status).toMatchObject([{ state: 'down' }])
  await list()
  expect(reads('list', 'down')).toBeGreaterThan(0)

  await standby.start()
  await expect.poll(() => replicas.status[0]?.state).toBe('ready')
  const before = reads('list', 'replica')
  await expect.poll(async () => (await list()).status && reads('list', 'replica')).toBeGreaterThan(before)
})

test('metrics show the replicas and their reads', async () => {
  const { payload } = await service.inject({ method: 'GET', url: '/metrics' })
  const name = serverOf(standby.databaseUrl)
  expect(payload).toContain(`rapport_replica_up{replica="${name}",state="ready"} 1`)
  expect(payload).toMatch(/rapport_replica_lag_seconds\{replica="[^"]+"\} [0-9.]+/)
  expect(payload).toMatch(/rapport_replica_lag_bytes\{replica="[^"]+"\} \d+/)
  expect(payload).toContain('rapport_replica_reads_total{kind="list",target="primary",reason="conflict"} 1')
})

test('the doctor examines each replica', async () => {
  const url = new URL(standby.databaseUrl)
  url.pathname = '/postgres'
  const urls = [
    standby.databaseUrl,
    primary.databaseUrl,
    url.href,
    'postgres://rapport:none@127.0.0.1:1/rapport',
  ]
  const config = { ...ctx.config, replicas: urls.map((databaseUrl) => ({ cell: undefined, databaseUrl })) }
  expect(await checkReplicas(config, primary.pool)).toMatchObject([
    { status: 'warn', detail: expect.stringContaining('hot_standby_feedback is off') },
    { status: 'warn', detail: expect.stringContaining('not in recovery') },
    { status: 'fail', detail: expect.stringContaining('not a standby of this database') },
    { status: 'warn', detail: expect.stringContaining('nothing listens there') },
  ])
  await standby.pause()
  await org.post('/objects/companies/records', { data: { name: 'Unseen' } })
  const paused = { ...config, replicas: config.replicas.slice(0, 1), replicaLagMaxMs: 200 }
  expect(await checkReplicas(paused, primary.pool)).toMatchObject([
    { status: 'warn', detail: expect.stringContaining('has not replayed within 200 ms') },
  ])
  await standby.resume()
  NAMES.push('Unseen')
  await caughtUp()
})

test('the start refuses a replica of another database', async () => {
  const url = new URL(standby.databaseUrl)
  url.pathname = '/postgres'
  const config = { ...ctx.config, replicas: [{ cell: undefined, databaseUrl: url.href }] }
  const wrong = openReplicas(config, {
    primary: primary.connection,
    isCell: false,
    log: pino({ level: 'silent' }),
  })
  await wrong?.start()
  expect(() => wrong?.requireOwn()).toThrow(
    `DATABASE_REPLICA_URLS: ${serverOf(url.href)} is not a standby of the database`,
  )
  await wrong?.close()
})

test('the start ignores the primary as a replica, and a replica that does not answer', async () => {
  const urls = [primary.databaseUrl, 'postgres://rapport:none@127.0.0.1:1/rapport']
  const config = { ...ctx.config, replicas: urls.map((databaseUrl) => ({ cell: undefined, databaseUrl })) }
  const listed = openReplicas(config, {
    primary: primary.connection,
    isCell: false,
    log: pino({ level: 'silent' }),
  })
  await listed?.start()
  listed?.requireOwn()
  expect(listed?.status.map(({ state }) => state)).toEqual(['not_standby', 'down'])
  expect(await listed?.choose('list', undefined, 1)).toBeUndefined()
  await listed?.close()
})

test('a promoted replica is not read any more', async () => {
  await standby.pool.value(sql`select pg_promote() as promoted`)
  await replicas.poll()
  expect(replicas.status).toMatchObject([{ state: 'not_standby' }])
  const before = reads('list', 'replica')
  expect((await list()).body.records).toHaveLength(NAMES.length)
  expect(reads('list', 'replica')).toBe(before)
})
