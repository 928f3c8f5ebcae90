import pino from 'pino'
import { expect, test, vi } from 'vitest'
import type { Pool } from '../pool.ts'
import type { Reader } from './own-writes.ts'
import { Replicas } from './replicas.ts'

const LAG_MAX_MS = 1000
const IDENTITY = { system: 's', database: 1, timeline: 1 }
const READER: Reader = { id: 'key', given: undefined }

/** A primary and one standby with answers and a clock that the test controls. */
function build() {
  const at = { now: 0, written: 0, replayed: 0, isAway: false }
  const primary = { value: async () => at.written, one: async () => IDENTITY, close: async () => undefined }
  const monitor = {
    async one() {
      if (at.isAway) throw new Error('connect ECONNREFUSED')
      return { ...IDENTITY, isStandby: true, position: at.replayed, receivedTimeline: 1, hasFeedback: true }
    },
    close: async () => undefined,
  }
  const log = pino({ level: 'silent' })
  const said: string[] = []
  for (const level of ['info', 'warn'] as const)
    vi.spyOn(log, level).mockImplementation(
      (_fields: unknown, message?: string) => void said.push(`${message}`),
    )
  const replicas = new Replicas({
    primary: primary as unknown as Pool,
    servers: [
      {
        ...{ name: 'standby', monitor: monitor as unknown as Pool, use: {} },
        ...{ breakOff: () => undefined, close: async () => undefined },
      },
    ],
    selectArrivals: async () => [],
    lagMaxMs: LAG_MAX_MS,
    log,
    now: () => at.now,
  })
  const poll = async (ms = 100) => {
    at.now += ms
    await replicas.poll()
  }
  return { at, replicas, said, poll }
}

test('a replica that a read finds unavailable is logged once, and once when it is back', async () => {
  const { at, replicas, said, poll } = build()
  await poll()
  expect(said).toEqual(['a replica is read'])
  const read = await replicas.choose('list', READER, 1)
  at.isAway = true
  // The read queries the state before the next poll does.
  expect(await read?.answers()).toBe(false)
  read?.end('failed')
  for (let time = 0; time < 5; time++) await poll()
  expect(said).toEqual(['a replica is read', 'a replica is not read'])
  at.isAway = false
  for (let time = 0; time < 5; time++) await poll()
  expect(said).toEqual(['a replica is read', 'a replica is not read', 'a replica is read'])
})

test('a replica that is unavailable from the start is logged once', async () => {
  const { at, said, poll } = build()
  at.isAway = true
  for (let time = 0; time < 3; time++) await poll()
  expect(said).toEqual(['a replica is not read'])
})

test('a lagging replica is logged after the permitted time, and when it has caught up', async () => {
  const { at, said, poll } = build()
  await poll()
  for (let time = 0; time < 40; time++) {
    at.written += 10
    await poll()
  }
  expect(said.slice(1)).toEqual(['a replica lags too much: the primary is read'])
  at.replayed = at.written
  for (let time = 0; time < 5; time++) await poll()
  expect(said.slice(2)).toEqual(['a replica lags no more: it is read'])
})
