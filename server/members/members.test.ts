import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'

const service = await buildTestService()

test('GET /members lists the members of the organization, of no other', async () => {
  const [org] = [await service.org(), await service.org()]
  const { status, body } = await org.get('/members')
  expect(status).toBe(200)
  expect(body).toEqual({
    members: [
      {
        id: expect.any(String),
        role: 'owner',
        createdAt: expect.stringMatching(/Z$/),
        user: {
          id: org.userId,
          name: 'Olivia Owner',
          email: `owner-${org.userId}@example.com`,
          image: null,
        },
      },
    ],
  })
})

test('GET /members needs members:read', async () => {
  const org = await service.org({ scopes: ['objects:read'] })
  expectError(await org.get('/members'), 'insufficient_scope')
})
