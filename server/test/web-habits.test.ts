// The behaviour that browsers and command lines expect: trailing slashes, pages, other origins, https, unknown fields.
import type { InjectOptions, RouteOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Pages } from '../pages/pages.ts'
import { buildTestService } from './build-app.ts'

const PAGES: Pages = {
  dir: new URL('../../dashboard', import.meta.url).pathname,
  state: () => 'ready',
  document: () => '<!doctype html><title>Rapport</title>',
}
const service = await buildTestService({}, PAGES)
const secure = await buildTestService({ baseUrl: 'https://crm.example.com' })
const org = await service.org()
const owner = await org.member('owner')
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

describe('an unknown field returns 400 with its name', () => {
  const mutating = service.routes.filter(
    ({ method, config, url }) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)) &&
      !config?.refused &&
      !config?.slowBody &&
      !url.startsWith('/portal/api/webhooks'),
  )
  const headersOf = ({ url }: RouteOptions) =>
    url.startsWith('/api/') ? { authorization: `Bearer ${org.key}` } : { cookie: owner.cookie }
  const cases = mutating.map((route) => ({ key: `${route.method} ${route.url}`, route }))

  test.each(cases)('$key', async ({ route }) => {
    const response = await service.inject({
      method: route.method as NonNullable<InjectOptions['method']>,
      url: route.url
        .replace(':organization', `org-${org.id}`)
        .replace(/:(?:name|secretName)\b/, 'SECRET')
        .replaceAll(/:\w+/g, NO_SUCH),
      headers: { ...headersOf(route), 'content-type': 'application/json' },
      payload: '{"no_such_field":1}',
    })
    expect([response.statusCode, response.payload]).toEqual([400, expect.stringContaining('no_such_field')])
    expect(response.json().details.errors).toContainEqual(
      expect.objectContaining({ path: 'no_such_field', code: 'unknown_field' }),
    )
  })
})

describe('a trailing slash', () => {
  test.each(['/api/v1/objects/', '/api/v1/activities/', '/api/v1/objects/companies/records/'])(
    '%s leads to the same route',
    async (url) => {
      const headers = { authorization: `Bearer ${org.key}` }
      const [one, other] = [
        await service.inject({ url, headers }),
        await service.inject({ url: url.slice(0, -1), headers }),
      ]
      expect([one.statusCode, one.json()]).toEqual([200, other.json()])
    },
  )

  test('does not change the answers 404 and 405', async () => {
    const headers = { authorization: `Bearer ${org.key}` }
    expect((await service.inject({ url: '/api/v1/nothing/', headers })).statusCode).toBe(404)
    expect((await service.inject({ method: 'PUT', url: '/api/v1/objects/', headers })).statusCode).toBe(405)
  })
})

describe('a page', () => {
  test.each([
    ['/', undefined],
    ['/', '*/*'],
    ['/portal', undefined],
    ['/portal', '*/*'],
    ['/portal', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
    ['/sign-in', 'text/*, */*;q=0.1'],
  ])('%s with Accept %s returns the document', async (url, accept) => {
    const response = await service.inject({ url, headers: accept === undefined ? {} : { accept } })
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.statusCode).toBe(200)
  })

  test.each([
    ['/portal', 'application/json'],
    ['/robots.txt', '*/*'],
    ['/api/v2/objects', '*/*'],
    ['/assets/missing.js', '*/*'],
    ['/assets//x', '*/*'],
    ['/assets//x', 'text/html'],
    ['/assets/..%2f..%2fpackage.json', 'text/html'],
  ])('%s with Accept %s returns 404 in JSON', async (url, accept) => {
    const response = await service.inject({ url, headers: { accept } })
    expect([response.statusCode, response.json().error]).toEqual([404, 'not_found'])
  })
})

describe('files', () => {
  const upload = `/files/upload/${NO_SUCH}/${NO_SUCH}?expires=1&signature=a`
  test.each([
    [upload, 'PUT'],
    [`/files/${'a'.repeat(43)}/logo.png`, 'GET'],
    [`/files/${'a'.repeat(43)}/logo.png?v=2`, 'HEAD'],
  ])('allow requests from pages of any origin: %s', async (url, method) => {
    const preflight = await service.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-allow-headers': expect.stringContaining('Content-Type'),
    })
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('have the headers for other origins in all answers, including refusals', async () => {
    const { signedUrl, publicUrl } = (
      await org.post('/files/upload-url', { bucket: 'logos', path: 'cors/logo.txt' })
    ).body as { signedUrl: string; publicUrl: string }
    const origin = { origin: 'https://shop.example' }
    const pathOf = (url: string) => url.slice(service.ctx.config.baseUrl.length)
    const stored = await service.inject({
      method: 'PUT',
      url: pathOf(signedUrl),
      headers: { ...origin, 'content-type': 'text/plain' },
      payload: 'logo',
    })
    const read = await service.inject({ url: pathOf(publicUrl), headers: origin })
    const missing = await service.inject({ url: `/files/${'a'.repeat(43)}/logo.png`, headers: origin })
    expect([stored.statusCode, read.statusCode, missing.statusCode]).toEqual([200, 200, 404])
    for (const { headers } of [stored, read, missing]) {
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toContain('ETag')
    }
  })
})

test('with an https address, answers have Strict-Transport-Security', async () => {
  const header = 'strict-transport-security'
  for (const url of ['/healthz', '/api/v1/objects', '/nothing'])
    expect((await secure.inject({ url })).headers[header]).toBe('max-age=31536000')
  expect((await service.inject({ url: '/healthz' })).headers[header]).toBeUndefined()
})
