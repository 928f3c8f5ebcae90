import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { ApiKey, CreatedApiKey } from '../../../contract/api-keys.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, expectError } from '../../test/factories.ts'

const service = await buildTestService()
const org = await service.org()
const [admin, member] = await org.members('admin', 'member')

const statusWith = async (key: string, app = service.app) =>
  (await app.inject({ url: '/api/v1/objects', headers: { authorization: `Bearer ${key}` } })).statusCode

const keys = async () => (await admin.get<{ apiKeys: ApiKey[] }>('/api-keys')).body.apiKeys

test('a key is shown whole once, works immediately, and is listed by its first characters', async () => {
  const expiresAt = '2100-01-01T00:00:00.000Z'
  const asked = { name: 'Forms', scopes: ['objects:read'], expiresAt, rateLimit: 7 }
  const body = bodyOf(await admin.post<CreatedApiKey>('/api-keys', asked), 201)
  const { key, ...shown } = body
  expect(key).toMatch(/^svc_[\w-]{43}$/)
  expect(shown).toEqual({
    ...asked,
    id: expect.any(String),
    prefix: key.slice(0, 9),
    lastUsedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    createdBy: { id: admin.userId, name: 'Mia Member', email: admin.email },
  })
  expect(await statusWith(key)).toBe(200)
  const listed = await keys()
  expect(listed[0]).toEqual({ ...shown, lastUsedAt: listed[0]?.lastUsedAt })
  expect(JSON.stringify(listed)).not.toContain(key)
})

test('when the deletion is answered, no node accepts the key', async () => {
  const node = await service.node()
  const { body } = await admin.post<CreatedApiKey>('/api-keys', { name: 'Old "one"', scopes: null })
  expect([await statusWith(body.key), await statusWith(body.key, node)]).toEqual([200, 200])
  for (const confirmName of ['old "one"', 'Old "one" ', '']) {
    const refused = await admin.delete(`/api-keys/${body.id}`, { confirmName })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path: 'confirmName' }] } })
  }
  const reply = await admin.delete(`/api-keys/${body.id}`, { confirmName: 'Old "one"' })
  expect(reply).toMatchObject({ status: 200, body: { id: body.id, deleted: true } })
  expect([await statusWith(body.key), await statusWith(body.key, node)]).toEqual([401, 401])
  expectError(await admin.delete(`/api-keys/${body.id}`, { confirmName: 'Old "one"' }), 'not_found')
})

test.each<[string, object]>([
  ['name', { name: '' }],
  ['name', { name: '  ' }],
  ['name', { name: 'A\u0000' }],
  ['scopes', { scopes: undefined }],
  ['scopes', { scopes: [] }],
  ['scopes[0]', { scopes: ['everything'] }],
  ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
  ['expiresAt', { expiresAt: 'tomorrow' }],
  ['rateLimit', { rateLimit: 0 }],
  ['createdBy', { createdBy: org.userId }],
])('rejects a bad %s and names it', async (path, change) => {
  const reply = await admin.post('/api-keys', { name: 'A', scopes: null, ...change })
  expectError(reply, 'validation_error')
  expect(reply.body).toMatchObject({
    details: { errors: expect.arrayContaining([expect.objectContaining({ path })]) },
  })
})

test('making a key requires a confirmed email address', async () => {
  const newcomer = await org.member('owner')
  await service.ctx.directory.run(sql`update users set email_verified = false where id = ${newcomer.userId}`)
  expectError(await newcomer.post('/api-keys', { name: 'A', scopes: null }), 'email_unverified')
})

test('limits the rate of all keys of an organization together, and names the limit when it refuses', async () => {
  const bounded = await buildTestService({ keyBounds: { rate: 100, organizationRate: 2, count: 10 } })
  const mine = await bounded.org()
  const second = await mine.keyWith(['objects:read'])
  const ask = (key: string) =>
    bounded.inject({ url: '/api/v1/objects', headers: { authorization: `Bearer ${key}` } })
  expect([(await ask(mine.key)).statusCode, (await ask(second)).statusCode]).toEqual([200, 200])
  const refused = await ask(second)
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBeDefined()
  expect(refused.json()).toMatchObject({
    error: 'rate_limit_exceeded',
    message: expect.stringMatching(/the API keys of your organization.* 2 a minute/),
    details: { bound: 'KEYS_RATE_LIMIT_PER_ORGANIZATION' },
  })
  expect((await (await bounded.org()).get('/objects')).status).toBe(200)
})

test('members cannot list, make or delete keys', async () => {
  expectError(await member.get('/api-keys'), 'insufficient_role')
  expectError(await member.post('/api-keys', { name: 'A', scopes: null }), 'insufficient_role')
  expectError(await member.delete(`/api-keys/${org.keyId}`, { confirmName: 'test' }), 'insufficient_role')
  expect(await statusWith(org.key)).toBe(200)
})

test('keys of other organizations and unknown ids are not found', async () => {
  const other = await service.org()
  for (const id of [other.keyId, 'none'])
    expectError(await admin.delete(`/api-keys/${id}`, { confirmName: 'test' }), 'not_found')
  expect(await statusWith(other.key)).toBe(200)
  expect((await keys()).map(({ id }) => id)).not.toContain(other.keyId)
})
