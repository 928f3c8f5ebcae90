// An organization that uses many connections to the database does not slow down another.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { createRecords, makeReport } from '../reports/reports.fixture.ts'
import { buildTestService, type TestService } from './build-app.ts'
import { expectError, type Org } from './factories.ts'

const SHARE = 2
const service = await buildTestService({ connectionsPerOrganization: SHARE })
const quick = await buildTestService({ connectionsPerOrganization: SHARE, searchSecondsMax: 1 })
const hasty = await buildTestService({
  connectionsPerOrganization: 1,
  connectionWaitSeconds: 1,
  connectionWaitingMax: 2,
})

/** Holds the lock of a record while `work` runs: requests that change it wait. */
const whileLocked = ({ ctx }: TestService, recordId: string, work: () => Promise<void>): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await tx.run(sql`select from records where id = ${recordId} for update`)
    await work()
  })

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await turn()
}

const patch = (org: Org, id: string) =>
  org.patch(`/objects/people/records/${id}`, { data: { job_title: 'CEO' } })

describe('an organization whose requests all wait', () => {
  test('holds only its share of the connections, and others are answered immediately', async () => {
    const { shares } = service.ctx
    const [busy, calm] = [await service.org(), await service.org()]
    const [locked = ''] = await createRecords(busy, 'people', [{ name: 'Ada' }])
    const changes: Promise<{ status: number }>[] = []
    await whileLocked(service, locked, async () => {
      for (let n = 0; n < 12; n++) changes.push(patch(busy, locked))
      await until(() => shares.usage.taken === SHARE && shares.usage.waiting === 12 - SHARE)
      expect((await calm.get('/objects/people/records')).status).toBe(200)
      expect((await calm.post('/objects/people/records', { data: { name: 'Grace' } })).status).toBe(201)
      expect(shares.usage).toEqual({ taken: SHARE, waiting: 12 - SHARE })
    })
    for (const { status } of await Promise.all(changes)) expect(status).toBe(200)
    expect(shares.usage).toEqual({ taken: 0, waiting: 0 })
  })

  test('gets 429 and Retry-After after the longest wait, and immediately when too many requests wait', async () => {
    const [busy, calm] = [await hasty.org(), await hasty.org()]
    const [locked = ''] = await createRecords(busy, 'people', [{ name: 'Ada' }])
    let first: ReturnType<typeof patch> | undefined
    await whileLocked(hasty, locked, async () => {
      first = patch(busy, locked)
      await until(() => hasty.ctx.shares.usage.taken === 1)
      const [second, third] = [patch(busy, locked), patch(busy, locked)]
      await until(() => hasty.ctx.shares.usage.waiting === 2)
      const fourth = await patch(busy, locked)
      expectError(fourth, 'rate_limit_exceeded')
      for (const refused of [fourth, await second, await third]) {
        expectError(refused, 'rate_limit_exceeded')
        expect(refused.body['message']).toMatch(
          /^Your organization has too many requests in flight: only 1 can use/,
        )
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect((await calm.get('/objects')).status).toBe(200)
    })
    expect((await first)?.status).toBe(200)
  })

  test('does not block the checks of keys and sessions', async () => {
    const { ctx } = service
    const orgs = await Promise.all([service.org(), service.org(), service.org(), service.org()])
    const member = await orgs[0]?.member('owner')
    const ends: (() => void)[] = []
    // Takes all connections of requests.
    const held = orgs.flatMap(({ org }) =>
      [1, 2].map(() => {
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.push(resolve)
        return ctx.shares.of(org, 'request').transaction(() => promise)
      }),
    )
    await until(() => ctx.shares.usage.taken === 7)
    const unknown = await service.inject({
      url: '/api/v1/objects',
      headers: { authorization: `Bearer svc_${'x'.repeat(43)}` },
    })
    expect(unknown.statusCode).toBe(401)
    expect((await member?.get('/portal-of-nothing'))?.status).toBe(404)
    for (const end of ends) end()
    await Promise.all(held)
  })
})

describe('a search that takes too long', () => {
  test.each<[string, (org: Org) => Promise<Parameters<typeof expectError>[0]>]>([
    ['search', (org) => org.post('/objects/people/records/search', {})],
    [
      'search under an Idempotency-Key',
      (org) => org.post('/objects/people/records/search', {}, { 'idempotency-key': 'once' }),
    ],
    ['list', (org) => org.get('/objects/people/records')],
    ['list of activities', (org) => org.get('/activities?search=x')],
    [
      'groups',
      async (org) => (await org.member('owner')).post('/objects/people/records/groups', { by: 'company' }),
    ],
  ])('%s: is cancelled, and the message names the limit and a remedy', async (what, ask) => {
    const org = await quick.org()
    const table = what.includes('activities') ? 'activities' : 'records'
    const reply = await quick.ctx.db.transaction(async (tx) => {
      await tx.run(table === 'activities' ? sql`lock table activities` : sql`lock table records`)
      return ask(org)
    })
    expectError(reply, 'query_too_expensive')
    expect(reply.body).toMatchObject({
      message: expect.stringMatching(/longer than 1 s: use fewer filters.*SEARCH_SECONDS_MAX/),
      details: { limitSeconds: 1 },
    })
    expect((await org.get('/objects/people/records')).status).toBe(200)
  })
})

describe('reports under an Idempotency-Key', () => {
  test('wait in the queue without a connection, and each runs once', async () => {
    const { ctx } = service
    const org = await service.org()
    const { id } = await makeReport(org)
    const release = await ctx.reports.queue.take(org.org, Date.now() + 60_000)
    const run = (key: string) =>
      org.post<{ run: { id: string } }>(`/reports/${id}/run`, undefined, { 'idempotency-key': key })
    const waiting = ['a', 'b', 'c', 'd'].map(run)
    await until(() => ctx.reports.queue.waiting === 4)
    expect(ctx.shares.usage).toEqual({ taken: 0, waiting: 0 })
    expectError(await run('a'), 'idempotency_in_progress')
    release()
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const again = await run('a')
    expect(again.body).toEqual(answers[0]?.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const runs = await org.get<{ pagination: { total: number } }>(`/reports/${id}/runs`)
    expect(runs.body.pagination.total).toBe(4)
  })
})
