import pino from 'pino'
import type { Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { digestKey, hashKey, makeKey } from './key.ts'
import { KeyCache } from './key-cache.ts'

const LEASE_MS = 1000
const KEY = makeKey()
const DIGEST = digestKey(KEY)
const IDLE_MS = 10_000
const row = { hash: hashKey(KEY), org: 1, keyId: 'key', scopes: null }

/** A database whose answers the test gives one read at a time, and a clock that the test sets. */
function setup() {
  const reads: Array<{ sent: Sql; answer: (rows: unknown[]) => void; fail: (error: Error) => void }> = []
  const many = (sent: Sql) =>
    new Promise((resolve, reject) => {
      reads.push({ sent, answer: resolve, fail: reject })
    })
  const time = { now: 5000 }
  const cache = new KeyCache({
    db: { many } as unknown as Db,
    log: pino({ level: 'silent' }),
    leaseMs: LEASE_MS,
    refreshMs: 1e6,
    idleMs: IDLE_MS,
    monotonic: () => time.now,
  })
  const read = (index: number) => {
    const found = reads[index]
    if (!found) throw new Error(`read ${index} was not sent`)
    return found
  }
  async function loaded() {
    const key = cache.load(DIGEST)
    read(reads.length - 1).answer([row])
    await key
  }
  return { cache, reads, read, time, loaded }
}

test('the lease starts when the query is sent, not when the answer arrives', async () => {
  const { cache, read, time } = setup()
  const key = cache.load(DIGEST)
  time.now += 900
  read(0).answer([row])
  expect(await key).toMatchObject({ keyId: 'key' })
  time.now += 99
  expect(cache.find(DIGEST)).toMatchObject({ keyId: 'key' })
  time.now += 1
  expect(cache.find(DIGEST)).toBeUndefined()
  cache.close()
})

test('requests share a read until its lease has ended', async () => {
  const { cache, reads, read, time } = setup()
  const first = [cache.load(DIGEST), cache.load(DIGEST)]
  expect(reads).toHaveLength(1)
  time.now += LEASE_MS
  const late = cache.load(DIGEST)
  expect(reads).toHaveLength(2)
  read(1).answer([])
  read(0).answer([row])
  expect(await late).toBeUndefined()
  expect(await Promise.all(first)).toHaveLength(2)
  expect(cache.find(DIGEST)).toBeUndefined()
  cache.close()
})

test('an unknown key is read from the database every time', async () => {
  const { cache, reads, read } = setup()
  for (const index of [0, 1]) {
    const key = cache.load(DIGEST)
    read(index).answer([])
    expect(await key).toBeUndefined()
  }
  expect(reads).toHaveLength(2)
  expect(cache.size).toBe(0)
})

test('a failed read rejects for all requests that share it, and the next request reads again', async () => {
  const { cache, reads, read } = setup()
  const shared = [cache.load(DIGEST), cache.load(DIGEST)]
  read(0).fail(new Error('away'))
  for (const key of shared) await expect(key).rejects.toThrow('away')
  const next = cache.load(DIGEST)
  expect(reads).toHaveLength(2)
  read(1).answer([row])
  expect(await next).toMatchObject({ keyId: 'key' })
  cache.close()
})

test('a refresh renews keys in use, from the time before its read', async () => {
  const { cache, read, time, loaded } = setup()
  await loaded()
  time.now += 500
  const refresh = cache.refresh()
  time.now += 400
  read(1).answer([row])
  await refresh
  time.now += 599
  expect(cache.find(DIGEST)).toBeDefined()
  time.now += 1
  expect(cache.find(DIGEST)).toBeUndefined()
  cache.close()
})

test('a refresh drops deleted keys and idle keys', async () => {
  const { cache, reads, read, time, loaded } = setup()
  await loaded()
  const refreshed = cache.refresh()
  read(1).answer([])
  await refreshed
  expect(cache.find(DIGEST)).toBeUndefined()

  await loaded()
  const renewed = cache.refresh()
  read(3).answer([row])
  await renewed
  time.now += IDLE_MS + 1
  await cache.refresh()
  expect(reads).toHaveLength(4)
  expect(cache.size).toBe(0)
  cache.close()
})

test('a key that is used only from time to time stays leased', async () => {
  const { cache, read, time, loaded } = setup()
  await loaded()
  for (let round = 1; round < 10; round++) {
    time.now += 400
    const refresh = cache.refresh()
    read(round).answer([row])
    await refresh
  }
  time.now += 400
  expect(cache.find(DIGEST)).toBeDefined()
  cache.close()
})

test('a refresh that fails renews nothing', async () => {
  const { cache, read, time, loaded } = setup()
  await loaded()
  time.now += 500
  const refresh = cache.refresh()
  read(1).fail(new Error('away'))
  await expect(refresh).rejects.toThrow('away')
  time.now += 500
  expect(cache.find(DIGEST)).toBeUndefined()
  cache.close()
})

test('a refresh that is under way does not restore a forgotten key', async () => {
  const { cache, read, loaded } = setup()
  await loaded()
  const refresh = cache.refresh()
  cache.forget('key')
  read(1).answer([row])
  await refresh
  expect(cache.find(DIGEST)).toBeUndefined()
  cache.close()
})

test('a refresh does not undo a newer read', async () => {
  const { cache, read, time, loaded } = setup()
  await loaded()
  const refresh = cache.refresh()
  time.now += LEASE_MS
  const key = cache.load(DIGEST)
  read(2).answer([row])
  await key
  read(1).answer([])
  await refresh
  expect(cache.find(DIGEST)).toBeDefined()
  cache.close()
})
