import sql from 'sql-template-tag'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { recordEvent } from '../../events/outbox.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { type Receiver, type Script, startReceiver } from '../../test/receiver.ts'
import { newSecret, sealSecret } from '../target.ts'

const service = await buildTestService()
const { ctx } = service

async function receiver(script?: Script): Promise<Receiver> {
  const one = await startReceiver()
  if (script) one.answer(script)
  return one
}

interface Filters {
  eventTypes?: string[]
  objs?: number[]
  changedAttributes?: string[]
}

async function endpointAt(org: Org, url: string, filters: Filters = {}) {
  const id = newId()
  const secret = newSecret()
  const { eventTypes = null, objs = null, changedAttributes = null } = filters
  await ctx.db.transaction(async (tx) => {
    await tx.run(
      sql`insert into event_listeners (org, listener) values (${org.org}, 'webhooks') on conflict do nothing`,
    )
    await tx.run(sql`
      insert into webhook_endpoints (org, id, url, description, event_types, objs, changed_attributes, secret)
      values (${org.org}, ${id}, ${url}, '', ${eventTypes}, ${objs}, ${changedAttributes},
        ${sealSecret(ctx.secrets, { org: org.org, id }, secret)})`)
    await tx.run(sql`insert into webhook_lanes (org, endpoint) values (${org.org}, ${id})`)
  })
  return { id, secret }
}

const company = async (org: Org, name = 'Acme') =>
  (await org.post<{ id: string }>('/objects/companies/records', { data: { name } })).body.id

const typesOf = ({ requests }: Receiver) => requests.map(({ body }) => JSON.parse(body.toString()).type)

interface DeliveryRow {
  state: string
  attempts: number
  status: number | null
  failure: string | null
  nextInS: number | null
}

const deliveries = (org: Org) =>
  ctx.db.many<DeliveryRow>(sql`
    select state, attempts, last_status as status, last_failure as failure,
      extract(epoch from next_attempt_at - last_attempt_at)::float8 as "nextInS"
    from webhook_deliveries where org = ${org.org} order by event`)

describe('an event', () => {
  test('is sent, signed, once to each endpoint that selects it', async () => {
    const org = await service.org()
    const [all, some] = [await receiver(), await receiver()]
    const first = await endpointAt(org, `${all.url}/hook`)
    await endpointAt(org, some.url, { eventTypes: ['record.deleted'] })
    const id = await company(org)
    await org.patch(`/objects/companies/records/${id}`, { data: { name: 'Acme Ltd' } })
    await org.delete(`/objects/companies/records/${id}`)
    await service.deliver()
    expect(typesOf(all).toSorted()).toEqual(['record.created', 'record.deleted', 'record.updated'])
    expect(typesOf(some)).toEqual(['record.deleted'])
    for (const { headers, body, path, method } of all.requests) {
      expect({ method, path }).toEqual({ method: 'POST', path: '/hook' })
      const event = JSON.parse(body.toString())
      expect(event).toMatchObject({ organizationId: org.id, recordId: id, objectId: expect.any(String) })
      expect(event.actor).toEqual({ type: 'apiKey', id: org.keyId })
      expect(headers['webhook-id']).toBe(event.id)
      for (const library of [new StandardWebhook(first.secret), new SvixWebhook(first.secret)])
        expect(() => library.verify(body.toString(), headers as Record<string, string>)).not.toThrow()
    }
  })

  test('contains the changes, with all digits of a number', async () => {
    const org = await service.org()
    const hook = await receiver()
    await org.post('/objects/companies/attributes', { name: 'Serial', type: 'number' })
    await endpointAt(org, hook.url)
    const id = await company(org)
    await org.patch(`/objects/companies/records/${id}`, {
      data: { serial: '12345678901234567890.123456789' },
    })
    await service.deliver()
    const update = hook.requests
      .map(({ body }) => body.toString())
      .find((body) => body.includes('record.updated'))
    expect(update).toContain('"serial": 12345678901234567890.123456789')
    expect(update).toContain('"changes":{"serial": {"to": 12345678901234567890.123456789, "from": null}}')
  })

  test('is sent for each of the 100 records of a bulk request', async () => {
    const org = await service.org()
    const hook = await receiver()
    await endpointAt(org, hook.url)
    const records = Array.from({ length: 100 }, (_, n) => ({ data: { name: `Company ${n}` } }))
    await org.post('/objects/companies/records/bulk', { mode: 'create', records })
    await service.deliver()
    const names = hook.requests.map(({ body }) => JSON.parse(body.toString()).data.name)
    expect(names.toSorted()).toEqual(records.map(({ data }) => data.name).toSorted())
    expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100)
  })

  test('that commits late is not skipped, and one that is rolled back is not sent', async () => {
    const org = await service.org()
    const hook = await receiver()
    await endpointAt(org, hook.url)
    const author = { org: org.org, userId: org.userId, keyId: null }
    const activity = (title: string) => ({
      type: 'activity.created' as const,
      subject: newId(),
      data: { title, linkedRecords: [] },
    })
    const late = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const lateOne = ctx.db.transaction(async (tx) => {
      await recordEvent(tx, author, activity('late'))
      written.resolve()
      await late.promise
    })
    await written.promise
    const undone = ctx.db.transaction(async (tx) => {
      await recordEvent(tx, author, activity('undone'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await ctx.db.transaction((tx) => recordEvent(tx, author, activity('early')))
    await service.deliver()
    late.resolve()
    await lateOne
    await service.deliver()
    expect(hook.requests.map(({ body }) => JSON.parse(body.toString()).title)).toEqual(['early', 'late'])
  })

  test('of an organization without a listener leaves no outbox entry', async () => {
    const org = await service.org()
    await company(org)
    expect(await ctx.db.many(sql`select id from event_pending where org = ${org.org}`)).toEqual([])
  })
})

describe('an attempt that fails', () => {
  test('is retried after 5 s, 30 s, 2 min …, at most twelve attempts within 72 h', async () => {
    const org = await service.org()
    const hook = await receiver({ status: 500 })
    await endpointAt(org, hook.url)
    await company(org)
    service.freezeClock()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 12; attempt++) {
      await service.deliver()
      const [row] = await deliveries(org)
      expect(row).toMatchObject({ attempts: attempt, status: 500, failure: 'status' })
      if (row?.nextInS == null) break
      expect(hook.requests).toHaveLength(attempt)
      waits.push(row.nextInS)
      service.advance((row.nextInS - 1) * 1000)
      await service.deliver()
      expect(hook.requests).toHaveLength(attempt)
      service.advance(1500)
    }
    const scheduled = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 72_000, 86_400]
    expect(waits).toHaveLength(scheduled.length)
    for (const [n, wait] of waits.entries()) {
      const planned = scheduled[n] ?? 0
      expect(Math.abs(wait - planned)).toBeLessThanOrEqual(planned * (planned < 3600 ? 0.2 : 0.05) + 1)
    }
    expect(await deliveries(org)).toMatchObject([{ state: 'failed', attempts: 12, nextInS: null }])
    expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(hook.requests.map(({ body }) => body.toString())).size).toBe(1)
  })

  test('is not retried after a success', async () => {
    const org = await service.org()
    const hook = await receiver((_, count) => ({ status: count < 3 ? 503 : 204 }))
    await endpointAt(org, hook.url)
    await company(org)
    for (const seconds of [0, 7, 40, 1000]) {
      service.advance(seconds * 1000)
      await service.deliver()
    }
    expect(await deliveries(org)).toMatchObject([
      { state: 'succeeded', attempts: 3, status: 204, failure: null },
    ])
    expect(hook.requests).toHaveLength(3)
  })
})

const endpointState = (id: string) =>
  ctx.db.one<{ isEnabled: boolean; reason: string | null; isFailing: boolean }>(sql`
    select is_enabled as "isEnabled", disabled_reason as reason, failing_since is not null as "isFailing"
    from webhook_endpoints where id = ${id}`)

const mails = (to: string) =>
  ctx.directory.many<{ subject: string; body: string }>(
    sql`select subject, body from outgoing_mail where recipient = ${to} order by id`,
  )

const HOUR_MS = 3_600_000

describe('a response of the receiver', () => {
  test('with status 410 disables the endpoint and notifies admins, not members', async () => {
    const org = await service.org()
    const [admin, member] = await org.members('admin', 'member')
    const hook = await receiver({ status: 410 })
    const { id } = await endpointAt(org, hook.url)
    await company(org)
    await service.deliver()
    expect(await endpointState(id)).toMatchObject({ isEnabled: false, reason: 'gone' })
    expect(await deliveries(org)).toMatchObject([{ state: 'failed', attempts: 1, status: 410 }])
    await service.drain()
    const [mail, ...others] = await mails(admin.email)
    expect(others).toEqual([])
    expect(mail?.body).toContain(hook.url)
    expect(mail?.body).toContain(`/o/org-${org.id}/settings/webhooks/${id}`)
    expect(await mails(member.email)).toEqual([])
    await company(org)
    await service.deliver()
    expect(hook.requests).toHaveLength(1)
  })

  test('with Retry-After delays this event and all others of the endpoint', async () => {
    const org = await service.org()
    const hook = await receiver((_, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '600' } } : {},
    )
    await endpointAt(org, hook.url)
    await company(org)
    await service.deliver()
    expect((await deliveries(org))[0]?.nextInS).toBeGreaterThanOrEqual(600)
    await company(org, 'Later Ltd')
    service.freezeClock()
    service.advance(590_000)
    await service.deliver()
    expect(hook.requests).toHaveLength(1)
    service.advance(15_000)
    await service.deliver()
    expect(await deliveries(org)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }])
  })

  test('with Retry-After beyond the retry window leads to a last attempt within the window', async () => {
    const org = await service.org()
    const hook = await receiver({ status: 503, headers: { 'retry-after': '1000000000' } })
    await endpointAt(org, hook.url)
    await company(org)
    await service.deliver()
    const [first] = await deliveries(org)
    expect(first?.state).toBe('pending')
    expect(first?.nextInS).toBeGreaterThan(71.9 * 3600)
    for (const seconds of [71.99 * 3600, 7200]) {
      service.advance(seconds * 1000)
      await service.deliver()
    }
    expect(await deliveries(org)).toMatchObject([{ state: 'failed', status: 503 }])
    expect(hook.requests).toHaveLength(2)
  })

  test('that is a redirect is a failure, and is not followed', async () => {
    const org = await service.org()
    const elsewhere = await receiver()
    const hook = await receiver({ status: 307, headers: { location: elsewhere.url } })
    await endpointAt(org, hook.url)
    await company(org)
    await service.deliver()
    expect(await deliveries(org)).toMatchObject([{ state: 'pending', status: 307, failure: 'redirect' }])
    expect(elsewhere.requests).toEqual([])
  })

  test('that is a failure each time for 5 days disables the endpoint and notifies its organization', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const hook = await receiver({ status: 500 })
    const { id } = await endpointAt(org, hook.url)
    await company(org)
    await service.deliver()
    expect(await endpointState(id)).toEqual({ isEnabled: true, reason: null, isFailing: true })
    service.advance(119 * HOUR_MS)
    await company(org, 'Four days later')
    await service.deliver()
    expect(await endpointState(id)).toMatchObject({ isEnabled: true })
    service.advance(2 * HOUR_MS)
    await company(org, 'Five days later')
    await service.deliver()
    await expect.poll(() => endpointState(id)).toMatchObject({ isEnabled: false, reason: 'failing' })
    await expect.poll(() => service.drain().then(() => mails(owner.email))).toHaveLength(1)
  })

  test('that is a success resets the 5 days', async () => {
    const org = await service.org()
    const hook = await receiver({ status: 500 })
    const { id } = await endpointAt(org, hook.url)
    await company(org)
    await service.deliver()
    hook.answer({})
    service.advance(100 * HOUR_MS)
    await company(org, 'A good day')
    await service.deliver()
    expect(await endpointState(id)).toMatchObject({ isFailing: false })
    hook.answer({ status: 500 })
    service.advance(100 * HOUR_MS)
    await company(org, 'Another bad day')
    await service.deliver()
    expect(await endpointState(id)).toEqual({ isEnabled: true, reason: null, isFailing: true })
  })
})

describe('an endpoint', () => {
  test('that is disabled gets nothing; pending deliveries are sent when it is enabled again', async () => {
    const org = await service.org()
    const hook = await receiver({ status: 500 })
    const { id } = await endpointAt(org, hook.url)
    await company(org)
    await service.deliver()
    await ctx.db.run(sql`
      update webhook_endpoints set is_enabled = false, disabled_reason = 'manual', updated_at = now() where id = ${id}`)
    await company(org, 'Meanwhile Ltd')
    service.advance(60_000)
    await service.deliver()
    expect(hook.requests).toHaveLength(1)
    expect(await deliveries(org)).toMatchObject([{ state: 'pending', attempts: 1 }])
    hook.answer({})
    await ctx.db.run(
      sql`update webhook_endpoints set is_enabled = true, disabled_reason = null, updated_at = now() where id = ${id}`,
    )
    await ctx.db.run(sql`update webhook_lanes set due_at = now() where endpoint = ${id}`)
    await service.deliver()
    expect(await deliveries(org)).toMatchObject([{ state: 'succeeded', attempts: 2 }])
  })

  test('gets record.updated only when one of its attributes changed', async () => {
    const org = await service.org()
    const hook = await receiver()
    await endpointAt(org, hook.url, { eventTypes: ['record.updated'], changedAttributes: ['employees'] })
    const id = await company(org)
    await org.patch(`/objects/companies/records/${id}`, { data: { name: 'Renamed' } })
    await org.patch(`/objects/companies/records/${id}`, { data: { employees: 12 } })
    await service.deliver()
    expect(hook.requests.map(({ body }) => Object.keys(JSON.parse(body.toString()).changes))).toEqual([
      ['employees'],
    ])
  })

  test('with a secret of another installation gets failed attempts with that reason', async () => {
    const org = await service.org()
    const hook = await receiver()
    const { id } = await endpointAt(org, hook.url)
    await ctx.db.run(
      sql`update webhook_endpoints set secret = decode(repeat('01', 80), 'hex') where id = ${id}`,
    )
    await company(org)
    await service.deliver()
    expect(await deliveries(org)).toMatchObject([{ state: 'pending', failure: 'unreadable_secret' }])
    expect(hook.requests).toEqual([])
  })

  test('of another organization gets no request', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const hook = await receiver()
    await endpointAt(other, hook.url)
    await endpointAt(org, (await receiver()).url)
    await company(org)
    await service.deliver()
    expect(hook.requests).toEqual([])
  })
})
