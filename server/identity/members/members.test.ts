import { expect, test } from 'vitest'
import { bodyOf } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

test('GET /members lists the members of the organization, and no others', async () => {
  const [org] = [await service.org(), await service.org()]
  const body = bodyOf(await org.get('/members'))
  expect(body).toEqual({
    pagination: { total: 1, limit: 1, offset: 0 },
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
