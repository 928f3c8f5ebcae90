// Unit tests of replicas without a server: the setting, the history of the primary, own writes, shared reads.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { replicaAddresses, serverOf } from '../../config/replica-addresses.ts'
import type { Pool } from '../pool.ts'
import { OwnWrites } from './own-writes.ts'
import { PrimaryHistory } from './primary-history.ts'
import { Replica } from './replica.ts'
import { classifyServer, type StandbyState } from './server-state.ts'
import { shareReads } from './shared-read.ts'

describe('DATABASE_REPLICA_URLS', () => {
  const databases = { databaseUrl: 'postgres://db/rapport', cells: [{ name: 'eu' }] }

  test('lists replicas of the database and of cells', () => {
    expect(replicaAddresses('postgres://one/rapport  eu=postgresql://two/rapport', databases)).toEqual([
      { cell: undefined, databaseUrl: 'postgres://one/rapport' },
      { cell: 'eu', databaseUrl: 'postgresql://two/rapport' },
    ])
    expect(replicaAddresses(undefined, databases)).toEqual([])
  })

  test.each([
    ['http://one/rapport', databases, /must be addresses separated by spaces/],
    ['postgres://user:secret@', databases, /must be addresses/],
    ['us=postgres://one/rapport', databases, /names the cell us, which is not in CELLS/],
    ['postgres://one/rapport', { ...databases, databaseUrl: undefined }, /needs DATABASE_URL/],
  ])('refuses %s', (text, given, message) => {
    expect(() => replicaAddresses(text, given)).toThrow(message)
    expect(() => replicaAddresses(text, given)).not.toThrow(/secret/)
  })

  test('shows the server without its password', () => {
    expect(serverOf('postgres://user:secret@db2:5433/rapport')).toBe('db2:5433')
    expect(serverOf('postgres://user:secret@localhost/rapport?host=/run/pg')).toBe('/run/pg')
  })
})

describe('the history of the primary', () => {
  test('returns the time before which a position includes all commits', () => {
    const history = new PrimaryHistory(60_000)
    for (const [at, position] of [
      [0, 100],
      [500, 100],
      [1000, 200],
      [1500, 300],
    ] as const)
      history.add({ at, position })
    expect([99, 100, 199, 200, 300, 400].map((position) => history.completeAt(position))).toEqual([
      ...[undefined, 500, 500, 1000, 1500, 1500],
    ])
    expect(history.position).toBe(300)
  })

  test('drops older samples when the log of a new primary is shorter', () => {
    const history = new PrimaryHistory(60_000)
    history.add({ at: 0, position: 500 })
    history.add({ at: 1000, position: 400 })
    expect(history.completeAt(450)).toBe(1000)
    expect(history.completeAt(399)).toBeUndefined()
  })

  test('returns a position that includes all commits before a time, also with frequent samples', () => {
    const history = new PrimaryHistory(60_000)
    for (let at = 0; at <= 1000; at += 20) {
      expect(history.positionAfter(at)).toBeUndefined()
      history.add({ at, position: at })
      expect(history.positionAfter(at)).toBe(at)
    }
    for (let at = 0; at <= 1000; at += 7) {
      const position = history.positionAfter(at) ?? 0
      expect(position).toBeGreaterThanOrEqual(at)
      expect(position - at).toBeLessThan(200)
    }
    // After a failover.
    history.add({ at: 1100, position: 500 })
    expect([history.positionAfter(600), history.positionAfter(1101)]).toEqual([500, undefined])
  })

  test('drops samples after the given time', () => {
    const history = new PrimaryHistory(1000)
    for (let at = 0; at <= 5000; at += 500) history.add({ at, position: at })
    expect(history.completeAt(3000)).toBeUndefined()
    expect(history.completeAt(4700)).toBe(4500)
  })
})

describe('own writes', () => {
  let now = 0
  const writes = new OwnWrites(() => now, 1000)

  test('have the time of the last write, until every replica has it', () => {
    for (const [at, reader] of [
      [0, 'a'],
      [100, 'b'],
      [200, 'a'],
    ] as const) {
      now = at
      writes.noteWrite(reader)
    }
    now = 1150
    writes.prune()
    const timeOf = (id: string) => writes.timeFor({ id, given: undefined })
    expect(['a', 'b', 'c'].map(timeOf)).toEqual([200, undefined, undefined])
  })

  test('have the time of the first arrival of their token; invalid tokens have that of each arrival', () => {
    const token = writes.noteWrite('a')
    const timesAt = (at: number, given: string) => {
      now = at
      return writes.timeFor({ id: 'd', given })
    }
    expect([2000, 2500].map((at) => timesAt(at, token))).toEqual([2000, 2000])
    for (const other of ['', '1-1', 'x'.repeat(36), randomUUID().repeat(2)])
      expect([3000, 3500].map((at) => timesAt(at, other))).toEqual([3000, 3500])
    expect(writes.timeFor({ id: 'a', given: token })).toBe(2000)
  })
})

test('a shared read begins after the calls that share it', async () => {
  let begun = 0
  const ask = shareReads(async () => {
    const own = ++begun
    await delay(5)
    return own
  })
  const first = ask()
  const later = [ask(), ask(), ask()]
  expect(await first).toBe(1)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
  expect(await ask()).toBe(3)
})

test('a failed shared read does not fail the next one', async () => {
  let begun = 0
  const ask = shareReads(async () => {
    if (++begun === 1) throw new Error('away')
    return begun
  })
  const first = ask()
  const second = ask()
  await expect(first).rejects.toThrow('away')
  expect(await second).toBe(2)
})

const primary = { system: '1', database: 5, timeline: 2 }
const standby: StandbyState = {
  ...{ system: '1', database: 5, timeline: 2, receivedTimeline: 2, isStandby: true },
  ...{ position: 10, hasFeedback: true },
}

test('reads that wait for a replica share queries, and do not wait while the replica replays nothing', async () => {
  let [asked, position] = [0, 10]
  const monitor = {
    one: async () => {
      asked++
      return { ...standby, position }
    },
  }
  const replica = new Replica(
    {
      ...{ name: 'one', use: undefined, monitor: monitor as unknown as Pool },
      ...{ breakOff: () => undefined, close: async () => undefined },
    },
    () => performance.now(),
    () => undefined,
  )
  await replica.refresh(primary)
  const waits = await Promise.all(Array.from({ length: 50 }, () => replica.reaches(11)))
  expect(new Set(waits)).toEqual(new Set([false]))
  expect(asked).toBeLessThan(60)
  const before = asked
  expect(await replica.reaches(Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(asked).toBe(before)
  // The replica has replayed more log.
  position = 20
  await replica.refresh(primary)
  const reached = replica.reaches(21)
  position = 21
  expect(await reached).toBe(true)
})

test('a server is ready only while it is a standby of this primary', () => {
  const states: [Partial<StandbyState>, string][] = [
    [{}, 'ready'],
    [{ receivedTimeline: null }, 'ready'],
    [{ receivedTimeline: null, timeline: 1 }, 'other_timeline'],
    [{ system: '2' }, 'other_database'],
    [{ database: 6 }, 'other_database'],
    [{ isStandby: false, position: null }, 'not_standby'],
    [{ position: null }, 'not_standby'],
    [{ receivedTimeline: 1 }, 'other_timeline'],
    [{ receivedTimeline: null, timeline: 3 }, 'other_timeline'],
  ]
  for (const [change, state] of states) expect(classifyServer(primary, { ...standby, ...change })).toBe(state)
})
