// GET /api/v1/webhooks and the routes of the built-in portal when Svix delivers webhooks.
import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../contract/events.ts'
import type { Portal, Webhooks } from '../../../contract/webhooks.ts'
import { newId } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import { signInMember } from '../../test/dashboard-client.ts'
import { bodyOf, type Org } from '../../test/factories.ts'
import { type Interference, startStandIn, TOKEN } from './stand-in.fixture.ts'

const svix = await startStandIn()
const service = await buildTestService({ svix: { token: TOKEN, url: svix.url } })
afterEach(() => {
  svix.interfere()
  expect(svix.faults.splice(0)).toEqual([])
})

const portal = (org: Org) => org.get<Webhooks>('/webhooks')
const operationsOf = ({ id }: Org) =>
  svix.asked.filter(({ name }) => name === id).map(({ operation }) => operation)
const hasListener = async ({ org }: Org) =>
  (await service.ctx.db.run(sql`select from event_listeners where org = ${org}`)) > 0

describe('GET /webhooks', () => {
  test('returns a link to the portal of Svix, and creates the application of the organization', async () => {
    const org = await service.org({ name: 'Acme "Ümlaut" Ltd' })
    const body = bodyOf(await portal(org))
    expect(body.portalUrl).toBe(`https://app.svix.example/login#key=${org.id}`)
    expect(body.eventTypes.map(({ name }) => name)).toEqual(Object.keys(EVENT_TYPES))
    expect(svix.applications.get(org.id)).toBe('Acme "Ümlaut" Ltd')
  })

  test('adds the listener for events', async () => {
    const org = await service.org()
    expect(await hasListener(org)).toBe(false)
    await portal(org)
    expect(await hasListener(org)).toBe(true)
  })

  test('creates the application once for concurrent callers', async () => {
    const org = await service.org()
    const answers = await Promise.all(Array.from({ length: 8 }, () => portal(org)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect([...svix.applications.keys()].filter((uid) => uid === org.id)).toHaveLength(1)
    const asked = svix.asked.length
    await portal(org)
    expect(svix.asked.slice(asked)).toEqual([
      { operation: 'v1.authentication.app-portal-access', name: org.id },
    ])
  })

  test('repeats the request when another caller has just created the application', async () => {
    const org = await service.org()
    let isFirst = true
    svix.interfere(({ operation }) => {
      if (operation !== 'v1.application.create' || !isFirst) return undefined
      isFirst = false
      return { status: 409, isDone: true }
    })
    expect((await portal(org)).status).toBe(200)
  })

  test('creates the application again when it was deleted at Svix', async () => {
    const org = await service.org()
    await portal(org)
    svix.applications.delete(org.id)
    expect((await portal(org)).body.portalUrl).toContain(org.id)
    expect(svix.applications.has(org.id)).toBe(true)
  })

  test.each<[string, Interference]>([
    ['fails', { status: 500, body: 'a page of a proxy' }],
    ['rejects the token', { status: 401 }],
    ['is busy', { status: 429, headers: { 'retry-after': '30' } }],
    ['resets the connection', { kind: 'reset' }],
    ['responds without JSON', { status: 200, body: '<html>' }],
    ['responds without a URL', { status: 200, body: '{"token":"x"}' }],
    ['responds with an invalid URL', { status: 200, body: '{"url":"javascript:alert(1)"}' }],
    ['sends an endless response', { kind: 'flood', bytes: 10_000_000 }],
  ])('returns 503 while Svix %s, and 200 afterwards', async (_, how) => {
    const org = await service.org()
    svix.interfere(({ operation }) => (operation === 'v1.application.create' ? undefined : how))
    const { status, body, headers } = await org.get('/webhooks')
    expect([status, body['error']]).toEqual([503, 'unavailable'])
    expect(headers['retry-after']).toBe('2')
    expect(JSON.stringify(body)).not.toContain(TOKEN)
    svix.interfere()
    expect((await portal(org)).status).toBe(200)
  })

  test('returns 503 and adds no listener while the application cannot be created', async () => {
    const org = await service.org()
    svix.interfere(() => ({ status: 502 }))
    expect((await portal(org)).status).toBe(503)
    expect(operationsOf(org)).toEqual([])
    expect(await hasListener(org)).toBe(false)
  })
})

describe('the routes of the built-in portal', () => {
  const id = newId()
  const kinds = [
    ['GET', `/webhooks/endpoints/${id}/deliveries`],
    ['GET', `/webhooks/deliveries/dlv_${'a'.repeat(43)}`],
    ['POST', `/webhooks/deliveries/dlv_${'a'.repeat(43)}/replay`],
    ['GET', `/webhooks/endpoints/${id}/replays`],
    ['GET', '/webhooks/endpoints'],
    ['GET', `/webhooks/endpoints/${id}/secret`],
    ['POST', `/webhooks/endpoints/${id}/secret/rotate`],
  ] as const

  test.each(kinds)('%s %s returns 409 with a reference to the portal', async (method, path) => {
    const org = await service.org()
    const owner = await signInMember(service.ctx, service.inject, { orgId: org.id, role: 'owner' })
    const ask = method === 'GET' ? owner.get : owner.post
    const { status, body } = await ask(path)
    expect([status, body['error']]).toEqual([409, 'managed_by_svix'])
    expect(body['message']).toMatch(/use its portal/)
  })

  test('return Svix as the provider', async () => {
    const org = await service.org()
    const dashboard = await signInMember(service.ctx, service.inject, { orgId: org.id, role: 'owner' })
    const { status, body } = await dashboard.get<Portal>('/webhooks/portal')
    expect([status, body.provider]).toEqual([200, 'svix'])
    const { body: link } = await dashboard.get<Webhooks>('/webhooks')
    expect(link.portalUrl).toMatch(/^https:\/\/app\.svix\.example\//)
  })
})
