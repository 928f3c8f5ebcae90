import { expect, test } from 'vitest'
import { SCOPES_OF_ROLE } from '../../../contract/roles.ts'
import { ALL_SCOPES } from '../../../contract/scopes.ts'
import { bodyOf, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { createKey, deleteKey } from '../api-keys/service.ts'

const service = await sharedTestService()

const LIMITS = {
  requestSeconds: 30,
  pageRows: 100,
  bulkRows: 100,
  bodyBytes: 1_048_576,
  bulkBodyBytes: 8_388_608,
}

test('a key with full access reads all scopes, its organization and the member who made it', async () => {
  const [org] = [await service.org({ name: 'Initech' }), await service.org()]
  const body = bodyOf(await org.get('/me'))
  const { rateLimitPerMinute, keyBounds } = service.ctx.config
  expect(body).toEqual({
    organization: {
      ...{ id: org.id, slug: `org-${org.id}`, name: 'Initech' },
      ...{ country: 'US', currency: 'USD', timeZone: 'UTC', createdAt: expect.stringMatching(/Z$/) },
    },
    apiKey: {
      ...{ id: org.keyId, name: 'test', prefix: org.key.slice(0, 9), scopes: null },
      ...{ expiresAt: null, createdAt: expect.stringMatching(/Z$/) },
    },
    user: { id: org.userId, name: 'Olivia Owner', email: `owner-${org.userId}@example.com` },
    scopes: ALL_SCOPES,
    limits: {
      ...LIMITS,
      requestsPerMinute: rateLimitPerMinute,
      organizationRequestsPerMinute: keyBounds.organizationRate,
    },
  })
})

const describe = async (key: string) => {
  const response = await service.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${key}` } })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

test('a key with one scope reads its scope, and only the id of its creator', async () => {
  const org = await service.org()
  const { body } = await describe(await org.keyWith(['records:write']))
  expect(body).toMatchObject({ apiKey: { scopes: ['records:write'] }, scopes: ['records:write'] })
  expect(body.user).toEqual({ id: org.userId })
  const reader = await describe(await org.keyWith(['members:read']))
  expect(reader.body.user).toMatchObject({ id: org.userId, name: 'Olivia Owner' })
})

test('the shown rate of a key is the rate that limits its requests, at most the operator’s maximum', async () => {
  const org = await service.org()
  const made = { name: 'slow', scopes: null, createdBy: org.userId, expiresAt: '2099-01-01T00:00:00.000Z' }
  const { key } = await createKey(service.ctx, org.org, { ...made, rateLimit: 7 })
  const { body, headers } = await describe(key)
  expect(body.limits.requestsPerMinute).toBe(7)
  expect(headers['x-ratelimit-limit']).toBe('7')
  expect(body.apiKey.expiresAt).toBe('2099-01-01T00:00:00.000Z')
})

test('a deleted key is refused', async () => {
  const org = await service.org()
  const { id, key } = await createKey(service.ctx, org.org, {
    name: 'old',
    scopes: null,
    createdBy: org.userId,
  })
  await deleteKey(service.ctx, org.org, { id, confirmName: 'old' })
  expectError(await describe(key), 'unauthorized')
})

test.each(['owner', 'member'] as const)(
  'in the dashboard it returns the user and the scopes of their role: %s',
  async (role) => {
    const org = await service.org()
    const person = await org.member(role)
    const body = bodyOf(await person.get('/me'))
    const { user, organization } = service.ctx.config.sessionRates
    expect(body).toMatchObject({
      apiKey: null,
      user: { id: person.userId },
      scopes: SCOPES_OF_ROLE[role],
      limits: { ...LIMITS, requestsPerMinute: user, organizationRequestsPerMinute: organization },
    })
  },
)
