// Two copies of the records, one made from GET /events and one from deliveries, equal the records after any sequence
// of changes: a client that keeps a copy needs only events.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { insertEndpoint } from '../webhooks/endpoint.fixture.ts'
import { buildTestService } from './build-app.ts'
import { cases } from './dose.ts'
import { buildMirrorWorld, CHANGES, type ChangeName, change, OFTEN } from './mirror/changes.ts'
import { type MirrorEvent, mirrorOf, readFeed, readRecords } from './mirror/mirror.ts'
import { countEvents, settle } from './mirror/settle.ts'
import { startReceiver } from './receiver.ts'

const service = await buildTestService()
const receiver = await startReceiver()

const NAMES = [...(Object.keys(CHANGES) as ChangeName[]), ...OFTEN]

const step = fc.tuple(fc.constantFrom(...NAMES), fc.nat({ max: 1000 }))
const START: readonly [ChangeName, number][] = [3, 6, 1, 2, 4, 5].map((n) => ['create', n])

const deliveredTo = (id: string): MirrorEvent[] =>
  receiver.requests.filter(({ path }) => path === `/${id}`).map(({ body }) => JSON.parse(body.toString()))

test('mirrors of the feed and of deliveries equal the records after random changes', {
  timeout: 300_000,
}, async () => {
  const run = async (steps: readonly (readonly [ChangeName, number])[]) => {
    const world = await buildMirrorWorld(service)
    const { org } = world
    await insertEndpoint(service.ctx, org.org, { url: `${receiver.url}/${org.id}` })
    for (const [name, n] of [...START, ...steps]) await change(world, name, n)
    await settle(service, org)
    const records = await readRecords(org)
    const count = await countEvents(service, org)
    await expect.poll(async () => (await readFeed(org)).length, { interval: 20 }).toBe(count)
    expect(mirrorOf(await readFeed(org))).toEqual(records)
    const delivered = deliveredTo(org.id)
    expect(mirrorOf(delivered)).toEqual(records)
    expect(mirrorOf(delivered.toReversed())).toEqual(records)
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), run), {
    numRuns: cases(20),
  })
})
