// Replays of many failed or missing deliveries, also when the endpoint changes during the replay.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { NewReplay, Replay } from '../../../contract/webhooks.ts'
import { newId, newIdAt } from '../../base/id.ts'
import type { Requests } from '../../test/dashboard-client.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { portalRequests, visitPortal } from '../../test/portal-client.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import {
  type EndpointFields,
  type EndpointRows,
  insertDelivery,
  insertEndpoint,
} from '../endpoint.fixture.ts'
import { workOnReplay } from './jobs.ts'

const service = await sharedTestService()
const { ctx } = service
const never = new AbortController().signal

const WAYS: [string, (org: Org) => Promise<Requests>][] = [
  ['dashboard', (org) => org.member('admin')],
  ['portal', (org) => visitPortal(service, org)],
]

const LONG_AGO = '2020-01-01T00:00:00Z'

async function setUp(fields: EndpointFields = {}, enter = WAYS[0]?.[1]) {
  const org = await service.org()
  const rows = await insertEndpoint(ctx, org.org, fields)
  const api = (await enter?.(org)) as Requests
  const path = `/webhooks/endpoints/${rows.endpoint}/replays`
  const start = (kind: NewReplay['kind'], since = LONG_AGO, until?: string) =>
    api.post<Replay>(path, { kind, since, ...(until && { until }) })
  const list = async () => (await api.get<{ replays: Replay[] }>(path)).body.replays
  return { org, rows, api, path, start, list }
}

const pendingEvents = async ({ org, endpoint }: EndpointRows) =>
  (
    await ctx.db.many<{ event: string }>(sql`
      select event from webhook_deliveries where org = ${org} and endpoint = ${endpoint} and state = 'pending'
        and trigger = 'replay' and tries = 0 and next_attempt_at <= now() order by event`)
  ).map(({ event }) => event)

const isQueueDue = ({ org, endpoint }: EndpointRows) =>
  ctx.db.value<boolean>(
    sql`select due_at <= now() as "isDue" from webhook_lanes where org = ${org} and endpoint = ${endpoint}`,
  )

const insertFailed = (rows: EndpointRows, count: number) =>
  ctx.db.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, state, trigger, give_up_at)
    select ${rows.org}, ${rows.endpoint}, uuidv7(interval '-1 hour'), 'record.created', 'failed', 'event', now()
    from generate_series(1, ${count}::int)`)

function stoppingAfter(times: number): AbortSignal {
  const controller = new AbortController()
  let asked = 0
  const throwIfAborted = () => {
    if (asked++ >= times) controller.abort()
    controller.signal.throwIfAborted()
  }
  return { throwIfAborted } as AbortSignal
}

/** Creates companies. @returns the ids of their events, oldest first */
async function makeEvents({ org, post }: Org, count: number): Promise<string[]> {
  const records = Array.from({ length: count }, () => ({ data: { name: `C ${newId()}` } }))
  expect((await post('/objects/companies/records/bulk', { records })).status).toBe(200)
  const events = await ctx.db.many<{ id: string }>(
    sql`select id from events where org = ${org} order by id desc limit ${count}`,
  )
  return events.map(({ id }) => id).reverse()
}

const forgetMarkers = (org: number) => ctx.db.run(sql`delete from event_pending where org = ${org}`)

describe.each(WAYS)('in the %s', (_, enter) => {
  test('only failed and cancelled deliveries of the period start again', async () => {
    const { org, rows, start, list } = await setUp({}, enter)
    const at = (time: string) => newIdAt(new Date(time))
    const failed = [at('2026-05-01T10:00:00Z'), at('2026-05-02T09:59:59.999Z')]
    const apart = [at('2026-05-01T09:59:59.999Z'), at('2026-05-02T10:00:00Z')]
    const [first = '', last = ''] = failed
    const cancelled = at('2026-05-01T11:00:00Z')
    for (const event of [...failed, ...apart]) await insertDelivery(ctx, rows, { event })
    await insertDelivery(ctx, rows, { event: cancelled, state: 'cancelled' })
    const inside = () => at('2026-05-01T12:00:00Z')
    await insertDelivery(ctx, rows, { event: inside(), trigger: 'test' })
    for (const state of ['pending', 'succeeded'] as const)
      await insertDelivery(ctx, rows, { event: inside(), state })
    const other = await insertEndpoint(ctx, org.org)
    await insertDelivery(ctx, other, { event: inside() })
    const since = '2026-05-01T11:00:00+01:00'
    const body = bodyOf(await start('failed', since, '2026-05-02T10:00:00Z'), 202)
    expect(body).toEqual({
      id: expect.any(String),
      kind: 'failed',
      since: '2026-05-01T10:00:00.000Z',
      until: '2026-05-02T10:00:00.000Z',
      state: 'running',
      replayed: 0,
      createdAt: expect.stringMatching(/Z$/),
      finishedAt: null,
    })
    expect(await list()).toEqual([body])
    await service.drain()
    expect(await pendingEvents(rows)).toEqual([first, cancelled, last])
    expect(await pendingEvents(other)).toEqual([])
    expect([await isQueueDue(rows), await isQueueDue(other)]).toEqual([true, false])
    const finishedAt = expect.stringMatching(/Z$/)
    expect(await list()).toEqual([{ ...body, state: 'completed', replayed: 3, finishedAt }])
  })

  test('a replay of missing events adds deliveries with the bodies of the events', async () => {
    const { org, rows, start, list } = await setUp({}, enter)
    const [had, missing] = (await makeEvents(org, 2)) as [string, string]
    await forgetMarkers(org.org)
    await insertDelivery(ctx, rows, { event: had, state: 'succeeded', body: 'as it was sent' })
    const body = bodyOf(await start('missing'), 202)
    await service.drain()
    expect(await pendingEvents(rows)).toEqual([missing])
    expect(await isQueueDue(rows)).toBe(true)
    expect(await list()).toMatchObject([{ id: body.id, kind: 'missing', state: 'completed', replayed: 1 }])
    const messages = await ctx.db.many<{ event: string; type: string; body: string }>(
      sql`select event, type, body from webhook_messages where org = ${org.org} order by event`,
    )
    expect(messages[0]).toMatchObject({ event: had, body: 'as it was sent' })
    expect(messages[1]).toMatchObject({ event: missing, type: 'record.created' })
    expect(JSON.parse(messages[1]?.body ?? '')).toMatchObject({
      id: missing,
      type: 'record.created',
      organizationId: org.id,
      actor: { type: 'apiKey', id: org.keyId },
      data: { name: expect.stringMatching(/^C /) },
    })
  })

  test('a replay to a disabled or unknown endpoint is rejected', async () => {
    const { org, api, start, list } = await setUp({ isEnabled: false }, enter)
    expectError(await start('failed'), 'endpoint_disabled')
    expect(await list()).toEqual([])
    const theirs = await setUp()
    for (const id of [theirs.rows.endpoint, newId(), 'x']) {
      const path = `/webhooks/endpoints/${id}/replays`
      expectError(await api.get(path), 'not_found')
      expectError(await api.post(path, { kind: 'failed', since: LONG_AGO }), 'not_found')
    }
    expect(await theirs.list()).toEqual([])
    expect(org.org).not.toBe(theirs.rows.org)
  })

  test.each([
    [{}, 'kind'],
    [{ kind: 'all', since: LONG_AGO }, 'kind'],
    [{ kind: 'failed' }, 'since'],
    [{ kind: 'failed', since: 'yesterday' }, 'since'],
    [{ kind: 'failed', since: '2026-02-30T00:00:00Z' }, 'since'],
    [{ kind: 'failed', since: LONG_AGO, until: '0000-01-01T00:00:00Z' }, 'until'],
    [{ kind: 'failed', since: LONG_AGO, until: LONG_AGO }, 'since'],
    [{ kind: 'failed', since: '2999-01-01T00:00:00Z' }, 'since'],
    [{ kind: 'failed', since: LONG_AGO, odd: 1 }, 'odd'],
  ])('rejects %j, naming the path', async (body, path) => {
    const { api, path: replays } = await setUp({}, enter)
    const reply = await api.post(replays, body)
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  })
})

test('a period that ends in the future is cut to now', async () => {
  const { start } = await setUp()
  const { body } = await start('failed', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z')
  expect(Date.parse(body.until) - Date.now()).toBeLessThan(1000)
})

test('requests of members or without a session are rejected', async () => {
  const { org, path } = await setUp()
  const member = await org.member('member')
  for (const [who, code] of [
    [member, 'insufficient_role'],
    [portalRequests(service), 'unauthorized'],
  ] as const) {
    expectError(await who.get(path), code)
    expectError(await who.post(path, { kind: 'failed', since: LONG_AGO }), code)
  }
})

test('a replay of missing events applies the filters of the endpoint', async () => {
  const { org, rows, start } = await setUp({ types: ['record.updated'], attributes: ['industry'] })
  const company = (await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Acme' } }))
    .body
  await org.patch(`/objects/companies/records/${company.id}`, { data: { employees: 5 } })
  await org.patch(`/objects/companies/records/${company.id}`, { data: { name: 'Acme Ltd' } })
  await org.delete(`/objects/companies/records/${company.id}`)
  await forgetMarkers(org.org)
  const event = newId()
  await ctx.db.run(sql`
    insert into events (org, id, type, obj, subject, data, changes)
    select org, ${event}, 'record.updated', obj, subject, data, '{"industry": {"from": null, "to": "Steel"}}'
    from events where org = ${org.org} and type = 'record.created'`)
  await start('missing')
  await service.drain()
  expect(await pendingEvents(rows)).toEqual([event])
})

describe('a replay of more than one batch', () => {
  test('continues where it was stopped', async () => {
    const { rows, start, list } = await setUp()
    await insertFailed(rows, 1200)
    const ref = { org: rows.org, id: (await start('failed')).body.id }
    await expect(workOnReplay(ctx, ref, stoppingAfter(2))).rejects.toThrow()
    expect(await list()).toMatchObject([{ state: 'running', replayed: 1000 }])
    expect(await pendingEvents(rows)).toHaveLength(1000)
    await workOnReplay(ctx, ref, never)
    expect(await list()).toMatchObject([{ state: 'completed', replayed: 1200 }])
    expect(await pendingEvents(rows)).toHaveLength(1200)
    await workOnReplay(ctx, ref, never)
    expect(await list()).toMatchObject([{ state: 'completed', replayed: 1200 }])
  })

  test('replays each delivery once with two workers', async () => {
    const { rows, start, list } = await setUp()
    await insertFailed(rows, 1200)
    const ref = { org: rows.org, id: (await start('failed')).body.id }
    await Promise.all([workOnReplay(ctx, ref, never), workOnReplay(ctx, ref, never)])
    expect(await list()).toMatchObject([{ state: 'completed', replayed: 1200 }])
  })

  test('is cancelled when its endpoint is disabled during the replay', async () => {
    const { rows, start, list } = await setUp()
    await insertFailed(rows, 1200)
    const ref = { org: rows.org, id: (await start('failed')).body.id }
    await expect(workOnReplay(ctx, ref, stoppingAfter(1))).rejects.toThrow()
    await ctx.db.run(sql`
      update webhook_endpoints set is_enabled = false, disabled_reason = 'gone' where org = ${rows.org} and id = ${rows.endpoint}`)
    await workOnReplay(ctx, ref, never)
    expect(await list()).toMatchObject([
      { state: 'cancelled', replayed: 500, finishedAt: expect.any(String) },
    ])
    expect(await pendingEvents(rows)).toHaveLength(500)
  })

  test('ends when its endpoint is deleted during the replay', async () => {
    const { rows, start } = await setUp()
    await insertFailed(rows, 600)
    const ref = { org: rows.org, id: (await start('failed')).body.id }
    await expect(workOnReplay(ctx, ref, stoppingAfter(1))).rejects.toThrow()
    await ctx.db.run(sql`delete from webhook_endpoints where org = ${rows.org} and id = ${rows.endpoint}`)
    await workOnReplay(ctx, ref, never)
    expect(await pendingEvents(rows)).toHaveLength(500)
  })
})
