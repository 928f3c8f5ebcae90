// Clients that read exports slowly, or not at all.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOf, createRecords } from '../../reports/reports.fixture.ts'
import { buildTestService, type TestService } from '../../test/build-app.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { exportView } from './view.ts'

const limits = { exportsAtOnce: 3, exportsPerOrganization: 2, exportBytesPerSecondMin: 100 * 1024 * 1024 }
const service = await buildTestService({ ...limits, exportStallSeconds: 600 })
const hasty = await buildTestService({ ...limits, exportStallSeconds: 1 })
beforeAll(async () => {
  for (const { app } of [service, hasty]) await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => {
  for (const { app } of [service, hasty]) app.server.closeAllConnections()
})

/** More characters than the buffers of a connection hold. */
const TEXT = 200_000
const RECORDS = 150
const BODY = { columns: ['name', 'job_title'] }

async function withLargeRecords(of: TestService): Promise<Org> {
  const org = await of.org()
  const rows = Array.from({ length: 30 }, (_, n) => ({ name: `N${n}`, job_title: 'x'.repeat(TEXT) }))
  for (let made = 0; made < RECORDS; made += rows.length) await createRecords(org, 'people', rows)
  return org
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await turn()
}

/** The response to an export once it begins. Nothing of it is read. */
async function beginReading({ app }: TestService, org: Org): Promise<IncomingMessage> {
  const { cookie } = await org.member('member')
  const { port } = app.server.address() as AddressInfo
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const path = `/dashboard/api/organizations/org-${org.id}/objects/people/records/export`
  const headers = { cookie, 'content-type': 'application/json' }
  const sent = httpRequest(
    { port, host: '127.0.0.1', method: 'POST', path, headers, agent: false },
    (response) => {
      response.on('error', () => undefined)
      resolve(response)
    },
  )
  sent.on('error', reject)
  sent.end(JSON.stringify(BODY))
  return promise
}

test('a client that reads nothing is cut off, and its slot and connection are released', async () => {
  const org = await withLargeRecords(hasty)
  const { slots, pool } = hasty.ctx.exports
  const answer = await beginReading(hasty, org)
  expect(answer.statusCode).toBe(200)
  await until(() => slots.usage.taken === 0)
  const { usage } = pool
  expect(usage.total - usage.idle).toBe(0)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  answer.on('close', () => resolve(answer.complete))
  answer.resume()
  expect(await promise).toBe(false)
})

test('a client that disconnects releases its slot', async () => {
  const org = await withLargeRecords(service)
  const { slots, pool } = service.ctx.exports
  const answer = await beginReading(service, org)
  expect(slots.usage.taken).toBe(1)
  answer.destroy()
  await until(() => slots.usage.taken === 0 && pool.usage.total === pool.usage.idle)
})

test('a page is limited by bytes: it has few large records or many small ones', async () => {
  const texts: number[] = []
  const write = async (text: string) => void texts.push(text.length)
  const signal = new AbortController().signal
  const exported = async (org: Org) => {
    texts.length = 0
    await exportView(service.ctx, callerOf(org), { objectRef: 'people', body: BODY, write, signal })
    return texts.slice(1)
  }
  const large = await exported(await withLargeRecords(service))
  expect(large.reduce((sum, length) => sum + length)).toBeGreaterThan(RECORDS * TEXT)
  expect(Math.max(...large)).toBeLessThan(2_000_000)
  const many = await service.org()
  await createRecords(
    many,
    'people',
    Array.from({ length: 1000 }, (_, n) => ({ name: `N${n}` })),
  )
  expect((await exported(many)).length).toBeLessThan(15)
})

test('an organization cannot exceed its share of the slots, and others are served', async () => {
  const [busy, calm] = [await service.org(), await service.org()]
  const { slots } = service.ctx.exports
  const held = [await slots.acquire(busy.org), await slots.acquire(busy.org)]
  const ask = async (org: Org) =>
    (await org.member('member')).post<object>('/objects/people/records/export', BODY)
  expect((await ask(calm)).status).toBe(200)
  const refused = await ask(busy)
  expectError(refused, 'rate_limit_exceeded')
  expect(refused.body).toMatchObject({ message: expect.stringContaining('EXPORTS_PER_ORGANIZATION') })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  for (const release of held) release()
  expect((await ask(busy)).status).toBe(200)
  expect(slots.usage).toEqual({ taken: 0, waiting: 0 })
})

test('an unread export of the organization with the most exports is cut off for another organization', async () => {
  const [busy, calm] = [await withLargeRecords(service), await service.org()]
  const { slots } = service.ctx.exports
  const unread = [await beginReading(service, busy), await beginReading(service, busy)]
  const release = await slots.acquire((await service.org()).org)
  expect(slots.usage.taken).toBe(3)
  const member = await calm.member('member')
  expect((await member.post<object>('/objects/people/records/export', BODY)).status).toBe(200)
  await until(() => slots.usage.taken === 2)
  release()
  for (const answer of unread) answer.destroy()
  await until(() => slots.usage.taken === 0)
})
