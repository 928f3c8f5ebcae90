import { afterAll, expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { startReceiver } from '../../test/receiver.ts'

const service = await buildTestService()
const receiver = await startReceiver()
afterAll(() => receiver.close())

/** Requests per second. */
const RATE = 20
/** Evenly spaced; what was not used of the last tenth of a second may be caught up with. */
const LEAST_MS = 4 * (1000 / RATE) - 100

test('an endpoint with a rate limit gets its events spaced', async () => {
  const org = await service.org()
  const endpoint = { url: receiver.url, rateLimit: RATE }
  expect((await org.post('/webhooks/endpoints', endpoint)).status).toBe(201)
  const names = Array.from({ length: 5 }, (_, n) => `Company ${n}`)
  await Promise.all(names.map((name) => org.post('/objects/companies/records', { data: { name } })))
  await service.deliver()
  const times = receiver.requests.map(({ arrivedAtMs }) => arrivedAtMs)
  expect(times).toHaveLength(5)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(LEAST_MS * 0.9)
})
