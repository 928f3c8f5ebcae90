import { expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf } from '../../test/factories.ts'

const service = await buildTestService()

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
