// A service with a full disk: reading routes answer, and all other routes return a 503 with the reason.
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { fillDisk } from '../db/disk-space/disk-space.fixture.ts'
import { apiRoutes } from '../test/api-routes.ts'
import { urlOf } from '../test/ask.ts'
import { buildTestService } from '../test/build-app.ts'
import { visitPortal } from '../test/portal-client.ts'
import { contentOf, newParty, ROUTE_CASES } from '../test/route-cases.ts'

const service = await buildTestService()
const party = await newParty(service)
const owner = await party.org.member('owner')
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

/** Routes with methods other than GET that change nothing. */
const READING = new Set([
  ...['POST /objects/:objectId/records/search', 'POST /objects/:objectId/records/duplicates'],
  // Routes of the dashboard only.
  ...['groups', 'summaries', 'ids', 'search/explain', 'export', 'deletion'].map(
    (name) => `POST /objects/:objectId/records/${name}`,
  ),
  ...['POST /objects/:objectId/pasted-cells/check', 'POST /record-names', 'POST /record-pictures'],
  ...['POST /activity-attachments', 'POST /reports/check', 'POST /reports/preview', 'POST /workflow-check'],
  'POST /workflow-dry-run',
])

/** Routes that free space or end access. */
const FREEING = new Set([
  ...['DELETE /objects/:objectId/records/:recordId/attachments/:attachmentId'],
  ...[
    'DELETE /activities/:activityId/attachments/:attachmentId',
    'DELETE /trashed-attachments/:attachmentId',
  ],
  ...[
    'DELETE /objects/:objectId/records/:recordId/picture',
    'DELETE /imports/:importId',
    'DELETE /jobs/:jobId',
    'DELETE /api-keys/:id',
  ],
  ...['POST /sign-out', 'DELETE /sessions', 'DELETE /sessions/:id'],
])

const isRefused = (key: string) => !key.startsWith('GET ') && !READING.has(key) && !FREEING.has(key)

function expectRefusal({ statusCode, headers, payload }: Response): void {
  expect(statusCode).toBe(503)
  expect(headers['retry-after']).toBe('10')
  expect(JSON.parse(payload)).toMatchObject({
    error: 'unavailable',
    message: expect.stringMatching(/^The disk of the database is full, .*: tell the operator/),
    details: { reason: 'disk_full', committed: 'no' },
  })
}

const routes = apiRoutes(service.routes)

test.each(routes)('$key with a key: 503 on a full disk if it needs space', async (route) => {
  const request = await ROUTE_CASES[route.key]?.good(party)
  if (request === undefined) throw new Error(`route-cases.ts has no case for ${route.key}`)
  fillDisk(service)
  const { headers, ...content } = contentOf(request)
  const response = await service.inject({
    method: route.method,
    url: urlOf(route, request),
    headers: { ...headers, authorization: `Bearer ${party.org.key}` },
    ...content,
  })
  if (isRefused(route.key)) expectRefusal(response)
  else
    expect({ status: response.statusCode, body: response.payload }).toMatchObject({ status: route.success })
})

const PREFIXES = ['/dashboard/api/organizations/:organization', '/dashboard/api', '/portal/api']

const ofPages = service.routes
  .filter(({ url, method, config }) => url.startsWith('/') && method !== 'HEAD' && !config?.refused)
  .filter(({ config }) => !config?.isFormer && !config?.isStream)
  .flatMap((route) => {
    const prefix = PREFIXES.find((one) => route.url.startsWith(`${one}/`))
    return prefix === undefined
      ? []
      : [{ route, prefix, key: `${route.method} ${route.url.slice(prefix.length)}` }]
  })

/** Without the portal, whose session comes from a link: it has a separate test below. */
const withCookie = ofPages.filter(({ prefix }) => prefix !== '/portal/api')

test.each(withCookie)('$key below $prefix: 503 on a full disk if it needs space', async ({ route, key }) => {
  const { cookie } = FREEING.has(key) ? await party.org.member('owner') : owner
  fillDisk(service)
  const response = await service.inject({
    method: route.method as NonNullable<InjectOptions['method']>,
    url: route.url.replace(':organization', `org-${party.org.id}`).replaceAll(/:\w+/g, NO_SUCH),
    headers: { cookie },
  })
  if (isRefused(key)) expectRefusal(response)
  else expect(response.statusCode).toBeLessThan(500)
})

describe('while the disk is full', () => {
  test('a client without the right to write gets 401 or 403', async () => {
    fillDisk(service)
    expect((await service.inject({ method: 'POST', url: '/api/v1/objects' })).statusCode).toBe(401)
    const reader = await party.org.keyWith(['objects:read'])
    const response = await service.inject({
      method: 'POST',
      url: '/api/v1/objects',
      headers: { authorization: `Bearer ${reader}` },
    })
    expect(response.statusCode).toBe(403)
  })

  test('the portal can be read, but not written to', async () => {
    const portal = await visitPortal(service, party.org)
    fillDisk(service)
    expect((await portal.get('/webhooks/endpoints')).status).toBe(200)
    expect(await portal.post('/webhooks/endpoints', {})).toMatchObject({
      status: 503,
      body: { details: { reason: 'disk_full' } },
    })
  })

  test('an upload is refused before its file is read', async () => {
    const { body } = await party.org.post<{ signedUrl: string }>('/files/upload-url', {
      ...{ bucket: 'pictures', path: 'full.png' },
    })
    fillDisk(service)
    const { pathname, search } = new URL(body.signedUrl)
    expectRefusal(
      await service.inject({
        method: 'PUT',
        url: pathname + search,
        headers: { 'content-type': 'image/png' },
        payload: 'x',
      }),
    )
  })

  test('a session is not extended', async () => {
    const seenAgo = (ago: string) =>
      service.ctx.directory.run(sql`
        update sessions set expires_at = expires_at - ${ago}::interval, updated_at = updated_at - ${ago}::interval
        where user_id = ${owner.userId}`)
    const endsAt = () =>
      service.ctx.directory.value<string>(
        sql`select max(expires_at)::text from sessions where user_id = ${owner.userId}`,
      )
    await seenAgo('1 hour')
    const before = await endsAt()
    const visit = () => service.inject({ url: '/dashboard/api/session', headers: { cookie: owner.cookie } })
    const free = fillDisk(service)
    expect((await visit()).statusCode).toBe(200)
    expect(await endsAt()).toBe(before)
    free()
    expect((await visit()).statusCode).toBe(200)
    expect(await endsAt()).not.toBe(before)
  })
})
