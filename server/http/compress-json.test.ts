import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { sharedTestService } from '../test/shared-service.ts'
import { ByteBudget } from './byte-budget.ts'
import { compressJson } from './compress-json.ts'
import type { App } from './request.ts'
import { limitUnsentAnswers } from './unsent-answers.ts'

const service = await sharedTestService()
const org = await service.org()
const { cookie } = await org.member('owner')
const LONG = 'x'.repeat(2000)
const LIST = '/objects/companies/records'
const { body } = await org.post<{ id: string }>(LIST, { data: { name: LONG } })
const RECORD = `${LIST}/${body.id}`

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH'

const ask = (path: string, headers: Record<string, string> = {}, method: Method = 'GET') =>
  service.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${org.key}`, ...headers },
  })

const encodingOf = (path: string, encoding: string) =>
  ask(path, { 'accept-encoding': encoding }).then(({ headers }) => headers['content-encoding'])

const unpack = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

describe('a response of the API', () => {
  test.each(['gzip', 'br', 'zstd'] as const)('is sent in %s to clients that accept it', async (coding) => {
    const plain = await ask(LIST)
    const packed = await ask(LIST, { 'accept-encoding': coding })
    expect(plain.json().records).toMatchObject([{ data: { name: LONG } }])
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers).toMatchObject({
      vary: 'accept-encoding',
      'content-encoding': coding,
      'content-length': String(packed.rawPayload.length),
      'content-type': plain.headers['content-type'],
    })
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(JSON.parse(unpack[coding](packed.rawPayload).toString())).toEqual(plain.json())
  })

  test('is also compressed when it is large', async () => {
    const data = { name: 'y'.repeat(100_000) }
    const large = await org.post<{ id: string }>(LIST, { data })
    const { rawPayload, headers } = await ask(`${LIST}/${large.body.id}`, { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toMatchObject({ data })
    await org.delete(`${LIST}/${large.body.id}`)
  })

  test('is not compressed when the client prefers that', async () => {
    expect(await encodingOf(LIST, 'identity, gzip;q=0.5')).toBeUndefined()
    expect(await encodingOf(LIST, 'gzip;q=0')).toBeUndefined()
    expect(await encodingOf(LIST, 'gzip;q=0.5, br;q=0.1')).toBe('gzip')
  })

  test('is not compressed when it is small', async () => {
    const { statusCode, headers } = await ask('/objects/companies/views', { 'accept-encoding': 'gzip' })
    expect(statusCode).toBe(200)
    expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined])
  })

  test('has a weak ETag when it is compressed, which If-Match accepts', async () => {
    const plain = await ask(RECORD)
    const packed = await ask(RECORD, { 'accept-encoding': 'gzip' })
    const { etag } = packed.headers
    expect(etag).toBe(`W/${plain.headers.etag}`)
    const patched = await org.patch(RECORD, { data: { industry: null } }, { 'if-match': String(etag) })
    expect(patched.status).toBe(200)
    expect((await org.patch(RECORD, { data: {} }, { 'if-match': 'W/"stale"' })).status).toBe(412)
  })

  test('has the same headers for HEAD', async () => {
    const packed = await ask(RECORD, { 'accept-encoding': 'gzip' })
    const head = await ask(RECORD, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect(head.payload).toBe('')
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type'])
      expect(head.headers[name], name).toBe(packed.headers[name])
  })

  test('is stored uncompressed for an Idempotency-Key, and sent again in any coding', async () => {
    const headers = { 'idempotency-key': 'long', 'content-type': 'application/json' }
    const send = (encoding: string) =>
      service.inject({
        method: 'POST',
        url: `/api/v1${LIST}`,
        headers: { authorization: `Bearer ${org.key}`, ...headers, 'accept-encoding': encoding },
        payload: { data: { name: `${LONG}z` } },
      })
    const first = await send('gzip')
    const again = await send('identity')
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(JSON.parse(gunzipSync(first.rawPayload).toString())).toEqual(again.json())
    expect(first.headers.etag).toBe(`W/${again.headers.etag}`)
  })

  test('is compressed for the dashboard too, and the API document for all clients', async () => {
    const encoded = { 'accept-encoding': 'gzip' }
    const url = `/dashboard/api/organizations/org-${org.id}${LIST}`
    const { headers } = await service.inject({ url, headers: { cookie, ...encoded } })
    expect(headers['content-encoding']).toBe('gzip')
    const document = await service.inject({ url: '/api/v1/openapi.json', headers: encoded })
    expect(document.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(document.rawPayload).toString())).toMatchObject({ openapi: '3.1.0' })
  })
})

describe('responses that may contain secrets are not compressed', () => {
  test('endpoints, with the values of their headers', async () => {
    await org.post('/webhooks/endpoints', {
      url: 'http://127.0.0.1:9/hooks',
      description: 'x'.repeat(500),
      headers: [{ name: 'x-token', value: 's'.repeat(900) }],
    })
    const { headers, payload } = await ask('/webhooks/endpoints', { 'accept-encoding': 'gzip' })
    expect(payload.length).toBeGreaterThan(1024)
    expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined])
  })

  test('new API keys, the link to the portal, and signing secrets', () => {
    const secret = service.routes.filter(({ config }) => config?.answersSecrets).map(({ url }) => url)
    expect(secret).toEqual(
      expect.arrayContaining([
        '/dashboard/api/organizations/:organization/api-keys',
        '/api/v1/webhooks',
        '/api/v1/webhooks/endpoints/:endpointId/secret',
      ]),
    )
  })
})

test('unsent responses count with their compressed size', async () => {
  const MIB = 1024 ** 2
  const bounds = { key: MIB / 2, organization: MIB / 2, process: MIB }
  const budget = new ByteBudget({ setting: 'RESPONSE_BYTES', describe: (who) => who }, bounds)
  const app = Fastify() as unknown as App
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = { org: 1, keyId: 'key', userId: '' } as typeof request.caller
    done()
  })
  compressJson(app)
  let counted = 0
  limitUnsentAnswers(app, budget)
  app.addHook('onSend', (_request, _reply, payload, done) => {
    counted = budget.bytes
    done(null, payload)
  })
  // gzip reduces the text to a tenth at best.
  const random = Array.from({ length: 10_000 }, (_, nr) => String((nr * 7919) % 10_007)).join(' ')
  app.get('/large', async () => ({ text: random.repeat(10) }))
  const { rawPayload } = await app.inject({ url: '/large', headers: { 'accept-encoding': 'gzip' } })
  expect(rawPayload.length).toBeGreaterThan(32 * 1024)
  expect(counted).toBe(rawPayload.length)
  await app.close()
})
