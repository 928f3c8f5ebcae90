import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'

const service = await buildTestService({ requestDeadlineSeconds: 1 })
const { db } = service.ctx
let org: Org
beforeEach(async () => {
  org = await service.org()
})

const RECORDS = '/api/v1/objects/companies/records'

const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, headers: object = {}) =>
  service.inject({
    method,
    url,
    headers: { authorization: `Bearer ${org.key}`, ...headers },
    ...(payload && { payload }),
  })

const create = (name: string, headers?: object) => ask('POST', RECORDS, { data: { name } }, headers)
const names = async () =>
  (
    await db.many<{ name: string }>(sql`select data->>'name' as name from records where org = ${org.org}`)
  ).map(({ name }) => name)

/** Runs `work` while another transaction holds an exclusive lock on the table. */
const whileLocked = <Result>(table: 'records' | 'events', work: () => Promise<Result>): Promise<Result> =>
  db.transaction(async (tx) => {
    const lock = table === 'records' ? sql`lock table records` : sql`lock table events`
    await tx.run(lock)
    return work()
  })

test('a write that waits too long gets a 503 with Retry-After and committed: no', async () => {
  const response = await whileLocked('records', () => create('late'))
  expect(response.statusCode).toBe(503)
  expect(response.headers['retry-after']).toBe('2')
  expect(response.json()).toMatchObject({
    error: 'unavailable',
    message: expect.stringContaining('REQUEST_DEADLINE_SECONDS'),
    details: { committed: 'no' },
  })
  expect(await names()).toEqual([])
  expect((await create('in time')).statusCode).toBe(201)
})

test('a read that waits too long gets a 503', async () => {
  expect((await create('there')).statusCode).toBe(201)
  const response = await whileLocked('records', () => ask('GET', RECORDS))
  expect(response.statusCode).toBe(503)
  expect(response.json().details).toBeUndefined()
  expect((await ask('GET', RECORDS)).statusCode).toBe(200)
})

test('a timed-out write with an Idempotency-Key can be sent again, and is executed once', async () => {
  const headers = { 'idempotency-key': 'once' }
  expect((await whileLocked('records', () => create('once', headers))).statusCode).toBe(503)
  expect((await create('once', headers)).statusCode).toBe(201)
  expect((await create('once', headers)).headers['idempotent-replayed']).toBe('true')
  expect(await names()).toEqual(['once'])
})

test('a request that waits too long for a connection gets a 503, and takes no connection later', async () => {
  const waiting = 16
  const held = Promise.withResolvers<void>()
  const taken = Array.from({ length: waiting }, () => {
    const began = Promise.withResolvers<void>()
    const over = db.transaction(async (tx) => {
      await tx.run(sql`select 1`)
      began.resolve()
      await held.promise
    })
    return { began: began.promise, over }
  })
  await Promise.all(taken.slice(0, 10).map(({ began }) => began))
  expect((await ask('GET', RECORDS)).statusCode).toBe(503)
  held.resolve()
  await Promise.all(taken.map(({ over }) => over))
  expect((await ask('GET', RECORDS)).statusCode).toBe(200)
})

test('connections of cut-off requests are not reused, and the pool works for later requests', async () => {
  const late = await whileLocked('records', () => Promise.all([1, 2, 3, 4].map((n) => create(`late ${n}`))))
  for (const response of late) expect(response.json().details).toEqual({ committed: 'no' })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => create(`after ${n}`)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
  expect(await names()).toHaveLength(30)
})
