// Copies of the records, made from GET /events and from deliveries, equal the records after simultaneous changes by
// several writers, in parallel with the background work.
import { expect, test } from 'vitest'
import { createRandom, type Random } from '../demo/random.ts'
import { insertEndpoint } from '../webhooks/endpoint.fixture.ts'
import { buildTestService } from './build-app.ts'
import { wholeNumber } from './dose.ts'
import {
  buildMirrorWorld,
  CHANGES,
  type ChangeName,
  change,
  type MirrorWorld,
  OFTEN,
} from './mirror/changes.ts'
import { type MirrorEvent, mirrorOf, readFeed, readRecords } from './mirror/mirror.ts'
import { countEvents, settle, work } from './mirror/settle.ts'
import { startReceiver } from './receiver.ts'

const SEED = wholeNumber('MIRROR_SEED', Date.now() % 1_000_000)
const ROUNDS = wholeNumber('MIRROR_ROUNDS', 4)
const WRITERS = 6
const CHANGES_EACH = 40

const service = await buildTestService()
const receiver = await startReceiver()

/**
 * Without workflows, which run in parallel with the writers, imports, which only one writer makes, and erasures, which
 * remove deliveries that are not sent.
 */
const NAMES = [...(Object.keys(CHANGES) as ChangeName[]), ...OFTEN].filter(
  (name) => name !== 'runWorkflows' && name !== 'importRows' && name !== 'erase',
)

async function write(world: MirrorWorld, random: Random, names: readonly ChangeName[]): Promise<void> {
  for (let n = 0; n < CHANGES_EACH; n++) await change(world, random.pick(names), random.integer(0, 1000))
}

/** Runs the jobs of the worker repeatedly until the writers have ended. */
async function workDuring(writing: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = writing.finally(() => {
    isOver = true
  })
  while (!isOver) await work(service)
  await over
}

const deliveredTo = (id: string): MirrorEvent[] =>
  receiver.requests.filter(({ path }) => path === `/${id}`).map(({ body }) => JSON.parse(body.toString()))

test.each(Array.from({ length: ROUNDS }, (_, round) => SEED + round))(
  'mirrors equal the records under several writers (seed %i)',
  {
    timeout: 300_000,
  },
  async (seed) => {
    const world = await buildMirrorWorld(service)
    const { org } = world
    await insertEndpoint(service.ctx, org.org, { url: `${receiver.url}/${org.id}` })
    const writers = Array.from({ length: WRITERS }, (_, nr) =>
      write(world, createRandom(seed, nr), nr === 0 ? [...NAMES, 'importRows'] : NAMES),
    )
    await workDuring(Promise.all(writers))
    await settle(service, org)
    const records = await readRecords(org)
    const count = await countEvents(service, org)
    await expect.poll(async () => (await readFeed(org)).length, { interval: 50 }).toBe(count)
    expect(mirrorOf(await readFeed(org))).toEqual(records)
    expect(mirrorOf(deliveredTo(org.id))).toEqual(records)
    expect(records.length).toBeGreaterThan(0)
  },
)
