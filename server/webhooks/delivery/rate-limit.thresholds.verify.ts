import { expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { startReceiver } from '../../test/receiver.ts'

const service = await buildTestService()
const receiver = await startReceiver()

const RATE = 20
const EVENTS = 12
/** The second request follows without a pause: unused capacity of the last tenth of a second carries over. */
const SPREAD_MS = (EVENTS - 2) * (1000 / RATE)

test('an endpoint with a rate limit gets its events spaced in time', async () => {
  const org = await service.org()
  const endpoint = { url: receiver.url, rateLimit: RATE }
  expect((await org.post('/webhooks/endpoints', endpoint)).status).toBe(201)
  const names = Array.from({ length: EVENTS }, (_, n) => `Company ${n}`)
  await Promise.all(names.map((name) => org.post('/objects/companies/records', { data: { name } })))
  await service.deliver()
  const times = receiver.requests.map(({ arrivedAtMs }) => arrivedAtMs)
  expect(times).toHaveLength(EVENTS)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(SPREAD_MS * 0.6)
})
