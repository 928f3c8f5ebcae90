// Access to the management portal: how it starts and ends, and that it allows nothing else.
import type { InjectOptions } from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CreatedApiKey } from '../../../contract/api-keys.ts'
import type { Endpoint, Portal, PortalSession, Webhooks } from '../../../contract/webhooks.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { portalRequests, tokenOf, visitPortal } from '../../test/portal-client.ts'
import { forgetExpiredTokens } from './jobs.ts'

const service = await buildTestService({ baseUrl: 'https://crm.example.com', eventDays: 90 })
const { db } = service.ctx
const anonymous = portalRequests(service)

const linkOf = async (who: Pick<Org, 'get'>) => tokenOf((await who.get<Webhooks>('/webhooks')).body)
const open = (token: unknown) => anonymous.post<PortalSession>('/session', { token })
const enter = async (who: Pick<Org, 'get'>) => {
  const { session } = (await open(await linkOf(who))).body
  return portalRequests(service, session)
}
const age = (orgNumber: number, hours: number) =>
  db.run(
    sql`update portal_tokens set expires_at = expires_at - make_interval(hours => ${hours}::int) where org = ${orgNumber}`,
  )

test('GET /webhooks returns a link with a token in the fragment, and the event types', async () => {
  const org = await service.org()
  const body = bodyOf(await org.get<Webhooks>('/webhooks'))
  expect(body.portalUrl).toMatch(/^https:\/\/crm\.example\.com\/portal#token=[\w-]{43}(?:[\w-]{22})?$/)
  expect(body.eventTypes.map(({ name }) => name)).toEqual([
    'record.created',
    'record.updated',
    'record.deleted',
    'activity.created',
    'activity.updated',
    'activity.deleted',
    'workflow.completed',
    'workflow.failed',
  ])
  expect(body.eventTypes.every(({ description }) => description.length > 5)).toBe(true)
  const again = (await org.get<Webhooks>('/webhooks')).body
  expect(tokenOf(again)).not.toBe(tokenOf(body))
})

test('a token is stored only as a hash', async () => {
  const org = await service.org()
  const token = await linkOf(org)
  const { session } = (await open(token)).body
  const rows = await db.many<{ row: string }>(
    sql`select t::text as row from portal_tokens t where org = ${org.org}`,
  )
  expect(rows).toHaveLength(2)
  for (const secret of [token, session]) {
    const hex = Buffer.from(secret).toString('hex')
    expect(rows.filter(({ row }) => row.includes(secret) || row.includes(hex))).toEqual([])
  }
})

test('a link opens 8-hour sessions of its organization, several times within an hour', async () => {
  const org = await service.org({ name: 'Northwind' })
  const token = await linkOf(org)
  for (const _ of [1, 2]) {
    const { status, body, headers } = await open(token)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const inHours = (Date.parse(body.expiresAt) - Date.now()) / 3600_000
    expect(inHours).toBeGreaterThan(7.9)
    expect(inHours).toBeLessThan(8.1)
    const shown = await portalRequests(service, body.session).get<Portal>('/webhooks/portal')
    expect(shown.status).toBe(200)
    expect(shown.body).toMatchObject({
      organization: { name: 'Northwind', slug: `org-${org.id}` },
      eventDays: 90,
      expiresAt: body.expiresAt,
    })
  }
})

test('the portal returns active objects with their active attributes', async () => {
  const org = await service.org()
  const { id } = (await org.post<{ id: string }>('/objects', { pluralName: 'Boats', singularName: 'Boat' }))
    .body
  const hidden = (await org.post<{ id: string }>('/objects', { pluralName: 'Old', singularName: 'Old' })).body
  await org.post(`/objects/${id}/attributes`, { name: 'Length', type: 'number' })
  const removed = await org.post<{ id: string }>(`/objects/${id}/attributes`, {
    name: 'Removed',
    type: 'text',
  })
  await org.delete(`/objects/${id}/attributes/${removed.body.id}`)
  await org.patch(`/objects/${hidden.id}`, { isActive: false })
  const admin = await org.member('admin')
  for (const who of [await visitPortal(service, org), admin]) {
    const { body } = await who.get<Portal>('/webhooks/portal')
    expect(body.objects.map(({ slug }) => slug)).toEqual(['people', 'companies', 'deals', 'boats'])
    const attributes = [{ slug: 'length', name: 'Length' }]
    expect(body.objects.at(-1)).toEqual({ id, pluralName: 'Boats', slug: 'boats', attributes })
  }
  expect((await admin.get<Portal>('/webhooks/portal')).body.expiresAt).toBeNull()
})

describe('opening a session', () => {
  test.each([
    ['is unknown', 'A'.repeat(43)],
    ['is too short', 'abc'],
    ['is too long', 'A'.repeat(200)],
    ['has an invalid character', `${'A'.repeat(42)}é`],
  ])('rejects a token that %s, and names the next step', async (_, token) => {
    const reply = await open(token)
    expectError(reply, 'unauthorized')
    expect(JSON.stringify(reply.body)).toContain('get a new one where you got it')
  })

  test.each([
    [{}, 'token'],
    [{ token: '' }, 'token'],
    [{ token: 1 }, 'token'],
    [{ token: 'A'.repeat(201) }, 'token'],
    [{ token: 'A'.repeat(43), more: 1 }, 'more'],
  ])('rejects the body %j, naming the path', async (body, path) => {
    const reply = await anonymous.post('/session', body)
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({ errors: [{ path }] })
  })

  test('rejects a large body', async () => {
    expectError(await anonymous.post('/session', { token: 'A'.repeat(2000) }), 'payload_too_large')
  })

  test('rejects a session in place of a link, and a link or an API key in place of a session', async () => {
    const org = await service.org()
    const token = await linkOf(org)
    const { session } = (await open(token)).body
    expectError(await open(session), 'unauthorized')
    for (const wrong of [token, org.key])
      expectError(await portalRequests(service, wrong).get('/webhooks/portal'), 'unauthorized')
    expectError(await anonymous.get('/webhooks/portal'), 'unauthorized')
  })

  test('rejects requests from pages of other sites', async () => {
    const token = await linkOf(await service.org())
    const reply = await anonymous.post('/session', { token }, { 'sec-fetch-site': 'cross-site' })
    expectError(reply, 'foreign_origin')
  })
})

describe('access ends', () => {
  test('after an hour for a link and after eight for a session; both are then deleted', async () => {
    const org = await service.org()
    const token = await linkOf(org)
    const visitor = await enter(org)
    await age(org.org, 1)
    expectError(await open(token), 'unauthorized')
    expect((await visitor.get('/webhooks/portal')).status).toBe(200)
    await age(org.org, 7)
    const ended = await visitor.get('/webhooks/portal')
    expectError(ended, 'unauthorized')
    expect(ended.body['message']).toContain('get a new link where you got the first one')
    const fresh = await linkOf(org)
    await forgetExpiredTokens(service.ctx, new AbortController().signal, new Date())
    const { left } = await db.one<{ left: number }>(
      sql`select count(*) as left from portal_tokens where org = ${org.org}`,
    )
    expect(left).toBe(1)
    expect((await open(fresh)).status).toBe(200)
  })

  test.each(['deleted', 'expired'])('when the API key that requested the link is %s', async (how) => {
    const org = await service.org()
    const admin = await org.member('admin')
    const { key, id } = (
      await admin.post<CreatedApiKey>('/api-keys', { name: 'K', scopes: ['webhooks:manage'] })
    ).body
    const holder = { get: (path: string) => org.get(path, { authorization: `Bearer ${key}` }) } as Pick<
      Org,
      'get'
    >
    const [token, visitor] = [await linkOf(holder), await enter(holder)]
    const other = await enter(org)
    await db.run(
      how === 'deleted'
        ? sql`delete from api_keys where org = ${org.org} and id = ${id}`
        : sql`update api_keys set expires_at = now() where org = ${org.org} and id = ${id}`,
    )
    expectError(await open(token), 'unauthorized')
    expectError(await visitor.get('/webhooks/portal'), 'unauthorized')
    expect((await other.get('/webhooks/portal')).status).toBe(200)
  })

  test.each([
    ['left the organization', (user: string) => sql`delete from members where user_id = ${user}`],
    [
      'was demoted to member',
      (user: string) => sql`update members set role = 'member' where user_id = ${user}`,
    ],
  ])('when the person who requested the link in the dashboard %s', async (_, change) => {
    const org = await service.org()
    const admin = await org.member('admin')
    const [token, visitor] = [await linkOf(admin), await enter(admin)]
    expect((await visitor.get('/webhooks/portal')).status).toBe(200)
    await db.run(change(admin.userId))
    expectError(await open(token), 'unauthorized')
    expectError(await visitor.get('/webhooks/portal'), 'unauthorized')
  })
})

test('the portal has the same webhook routes as the dashboard', () => {
  const under = (prefix: string) =>
    service.routes
      .filter(({ url, config }) => url.startsWith(`${prefix}/webhooks/`) && config?.scope !== undefined)
      .map(({ method, url }) => `${method} ${url.slice(prefix.length)}`)
  const ofPortal = under('/portal/api')
  expect(ofPortal.toSorted()).toEqual(under('/dashboard/api/organizations/:organization').toSorted())
  expect(ofPortal).toEqual(
    expect.arrayContaining(['GET /webhooks/endpoints', 'POST /webhooks/deliveries/:deliveryId/replay']),
  )
})

test('the portal can create, read and delete an endpoint', async () => {
  const org = await service.org()
  const visitor = await visitPortal(service, org)
  const made = await visitor.post<Endpoint>('/webhooks/endpoints', { url: 'https://example.com/hooks' })
  expect(made.status).toBe(201)
  const listed = await visitor.get<{ endpoints: Endpoint[] }>('/webhooks/endpoints')
  expect(listed.body.endpoints.map(({ id }) => id)).toEqual([made.body.id])
  const other = await visitPortal(service, await service.org())
  expectError(await other.get(`/webhooks/endpoints/${made.body.id}`), 'not_found')
  expect((await visitor.delete(`/webhooks/endpoints/${made.body.id}`)).status).toBe(200)
})

test('a portal session opens no other route', async () => {
  const org = await service.org()
  const { session } = await visitPortal(service, org)
  const others = service.routes.filter(
    ({ url, method, config }) =>
      /^\/(?:api\/v1|dashboard\/api\/organizations)\//.test(url) &&
      config?.scope !== undefined &&
      method !== 'HEAD' &&
      !config.refused,
  )
  expect(others.length).toBeGreaterThan(50)
  for (const { method, url } of others) {
    const response = await service.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: url.replace(':organization', `org-${org.id}`).replaceAll(/:\w+/g, 'people'),
      headers: { authorization: `Bearer ${session}` },
    })
    expect([url, response.statusCode]).toEqual([url, 401])
  }
})
