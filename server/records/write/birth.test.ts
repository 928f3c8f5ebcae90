// createdAt and updatedAt are consistent when the clocks of the service and the database differ.
import { afterEach, expect, test, vi } from 'vitest'
import type { Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
afterEach(() => void vi.useRealTimers())

interface Times {
  id: string
  createdAt: string
  updatedAt: string
}

const PEOPLE = '/objects/people/records'
const HOUR_MS = 3_600_000

const person = (n: number) => ({ data: { name: `Ada ${n}`, email: `ada${n}@example.com` } })

async function createEveryWay(org: Org): Promise<Times[]> {
  const single = (await org.post<Times>(PEOPLE, person(0))).body
  const records = Array.from({ length: 20 }, (_, n) => person(n + 1))
  await org.post(`${PEOPLE}/bulk`, { records })
  const upserted = [person(30), person(30), person(31)]
  await org.post(`${PEOPLE}/bulk`, { mode: 'upsert', matchOn: 'email', records: upserted })
  const activity = (await org.post<Times>('/activities', { title: 'First call' })).body
  const { body } = await org.get<{ records: Times[] }>(`${PEOPLE}?limit=100`)
  expect(body.records).toHaveLength(23)
  return [single, activity, ...body.records]
}

/** Moves the clock of the service relative to the clock of the database. */
const moveClock = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

test.each([
  ['is right', 0],
  ['is an hour fast', HOUR_MS],
  ['is an hour slow', -HOUR_MS],
])(
  'a new record or activity has equal createdAt and updatedAt if the clock of the service %s',
  async (_, ms) => {
    const org = await service.org()
    moveClock(ms)
    const made = await createEveryWay(org)
    expect(made.filter(({ createdAt, updatedAt }) => createdAt !== updatedAt)).toEqual([])
  },
)

test.each([
  ['fast', HOUR_MS],
  ['slow', -HOUR_MS],
])(
  'updatedAt starts at createdAt and grows with each change if the clock of the service is %s',
  async (_, ms) => {
    const org = await service.org()
    moveClock(ms)
    const record = (await org.post<Times>(PEOPLE, person(1))).body
    const activity = (await org.post<Times>('/activities', { title: 'First call' })).body
    const etags = new Set<unknown>()
    for (const title of ['a', 'b', 'c']) {
      const one = await org.patch<Times>(`${PEOPLE}/${record.id}`, { data: { job_title: title } })
      const other = await org.patch<Times>(`/activities/${activity.id}`, { title })
      for (const { body, headers } of [one, other]) {
        expect(body.updatedAt >= body.createdAt).toBe(true)
        etags.add(`${body.id} ${headers['etag']}`)
      }
    }
    expect(etags.size).toBe(6)
  },
)
