// Thousands of generated requests: the service answers each as documented and stays consistent.
//
// `npm run soak -- fuzz --count 200000 --seed 7` sends more and different requests.
import fc from 'fast-check'
import type { LightMyRequestResponse as Response } from 'fastify'
import { expect, inject, test } from 'vitest'
import { apiRoutes } from './api-routes.ts'
import { faultsOf } from './ask.ts'
import { buildTestService } from './build-app.ts'
import { wholeNumber } from './dose.ts'
import { type FuzzedRequest, fuzzedRequest } from './fuzz-requests.ts'
import { FuzzWorld, leaks } from './fuzz-world.ts'
import { dataOf } from './organization-data.ts'

const requests = wholeNumber('FUZZ_REQUESTS', 1000)
const seed = wholeNumber('FUZZ_SEED', inject('seed'))
const BATCH = 20
/** Far longer than any answer takes on a busy machine: a request that takes longer hangs. */
const DEADLINE_MS = 20_000

const service = await buildTestService()
const routes = apiRoutes(service.routes)
const world = await FuzzWorld.create(service, routes)
/** Keys of routes that refused a request. */
const refusing = new Set<string>()

function withinDeadline(answer: Promise<Response>): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<Response>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${DEADLINE_MS} ms`)), DEADLINE_MS)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}

/** A path with replaced pieces may match another route, which answers JSON. */
const typesOf = ({ route: { media } }: FuzzedRequest, { headers }: Response) =>
  media?.response?.some((type) => headers['content-type']?.toString().startsWith(type))
    ? media.response
    : undefined

const shown = (text: unknown) => String(text).slice(0, 500)

async function send(fuzzed: FuzzedRequest): Promise<string[]> {
  const options = world.injectOptions(fuzzed)
  const response = await withinDeadline(service.inject(options))
  if (response.statusCode >= 400) refusing.add(fuzzed.route.key)
  const isHead = options.method === 'HEAD'
  const faults = isHead && response.statusCode < 500 ? [] : faultsOf(response, typesOf(fuzzed, response))
  if (leaks(world, response)) faults.push('it leaks another organization')
  if (response.headers['set-cookie'] ?? response.headers['x-injected']) faults.push('a header was injected')
  return faults.map(
    (fault) =>
      `${fault}: ${options.method} ${shown(options.url)} ${shown(options.payload)} → ${shown(response.payload)}`,
  )
}

test(
  `${requests} requests from seed ${seed} get documented answers and change nothing of another organization`,
  async () => {
    const [prototype, theirs] = [
      Object.keys(Object.prototype),
      await dataOf(service.ctx.db, world.theirs.org.org),
    ]
    const batch = fc.asyncProperty(
      fc.array(fuzzedRequest(routes), { minLength: BATCH, maxLength: BATCH }),
      async (fuzzed) => {
        await world.refresh(2)
        expect((await Promise.all(fuzzed.map(send))).flat()).toEqual([])
      },
    )
    // The message contains the failing requests: shrinking a batch of twenty would take long and show little more.
    await fc.assert(batch, { numRuns: Math.ceil(requests / BATCH), seed, endOnFailure: true })

    expect(Object.keys(Object.prototype)).toEqual(prototype)
    expect(await dataOf(service.ctx.db, world.theirs.org.org)).toEqual(theirs)
    const alive = await world.mine.org.get('/objects/people/records?limit=1')
    expect(alive.status).toBe(200)
  },
  60_000 + requests * 20,
)

test.each(routes)('$key refuses faulty requests, and then answers a valid one', async (route) => {
  const faults = refusing.has(route.key) ? [] : fc.sample(fuzzedRequest([route]), { numRuns: 60, seed })
  for (const fuzzed of faults) expect(await send(fuzzed)).toEqual([])
  expect(refusing).toContain(route.key)
  const response = await service.inject(await world.goodOptions(route))
  expect(response.statusCode, shown(response.payload)).toBe(route.success)
})
