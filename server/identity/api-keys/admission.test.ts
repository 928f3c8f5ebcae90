import pino from 'pino'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { openPool } from '../../db/pool.ts'
import type { Admission, Admitted } from '../../http/admission.ts'
import { createTestDatabase } from '../../test/database.ts'
import { createAdmission } from './admission.ts'
import { DatabaseAdmission } from './database-admission.ts'
import { makeKey } from './key.ts'
import { MemoryAdmission } from './memory-admission.ts'
import { buildOrganization } from './organization.fixture.ts'
import { createKey, deleteKey, type KeyLeases, listKeys } from './service.ts'

const { pool, connection } = await createTestDatabase()
const log = pino({ level: 'silent' })
const wallClock = { now: () => new Date() }
const LIMIT = 5
const LEASE_MS = 60
const BOUNDS = { rate: 1_000_000, organizationRate: 1_000_000, count: 100 }

const opened: Array<Admission & KeyLeases> = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((admission) => admission.close()))
})

/** refreshMs: never, so that only the end of the lease removes a cached key. */
function open(
  store: string,
  { db = pool, clock = wallClock, refreshMs = 1e6, leaseMs = LEASE_MS, bounds = BOUNDS } = {},
) {
  const options = { db, log, clock, requestsPerMinute: LIMIT, leaseMs, bounds }
  const admission =
    store === 'memory' ? new MemoryAdmission({ ...options, refreshMs }) : new DatabaseAdmission(options)
  opened.push(admission)
  return admission
}

const keyContext = { directory: pool, clock: wallClock, config: { keyBounds: BOUNDS } }

async function buildKey({ expiresAt, rateLimit }: { expiresAt?: string; rateLimit?: number } = {}) {
  const organization = await buildOrganization(pool)
  const key = await createKey(keyContext, organization.org, {
    name: 'Key',
    scopes: ['records:read'],
    expiresAt: expiresAt ?? null,
    rateLimit: rateLimit ?? null,
    createdBy: organization.ownerId,
  })
  return { ...organization, id: key.id, token: key.key }
}

let addresses = 0
const newAddress = () => `192.0.2.${++addresses}`

describe.each(['memory', 'database'])('admission by %s', (store) => {
  test('admits a valid key with everything that requests need from it', async () => {
    const admission = open(store)
    const { org, orgId, ownerId, id, token } = await buildKey()
    const before = Date.now()
    const first = await admission.admit(token, newAddress())
    expect(first.key).toEqual({
      org,
      orgId,
      cell: 0,
      userId: ownerId,
      keyId: id,
      scopes: new Set(['records:read']),
      country: 'DE',
      currency: 'EUR',
      expiresAtMs: null,
      rateLimit: null,
    })
    expect(first.refused).toBeUndefined()
    expect(first.window).toMatchObject({ limit: LIMIT, remaining: LIMIT - 1, exceeded: false })
    const secondsFrom = (ms: number) => first.window.resetAt - ms / 1000
    expect(secondsFrom(before)).toBeGreaterThan(59)
    expect(secondsFrom(Date.now())).toBeLessThanOrEqual(61)
    expect((await admission.admit(token, newAddress())).window.remaining).toBe(LIMIT - 2)
  })

  test.each([
    ['no key', undefined, 'missing'],
    ['an empty key', '', 'unknown'],
    ['a malformed key', 'svc_short', 'unknown'],
    ['U+0000', `svc_${'\0'.repeat(43)}`, 'unknown'],
    ['a huge key', 'svc_'.repeat(10_000), 'unknown'],
    ['an unknown key', makeKey(), 'unknown'],
  ])('%s is refused and counts against the address', async (_, token, refused) => {
    const admission = open(store)
    const address = newAddress()
    for (let request = 1; request <= LIMIT + 2; request++) {
      const admitted = await admission.admit(token, address)
      expect(admitted).toMatchObject({ key: undefined, refused })
      expect(admitted.window).toMatchObject({
        limit: LIMIT,
        remaining: Math.max(0, LIMIT - request),
        exceeded: request > LIMIT,
      })
    }
    expect((await admission.admit(token, newAddress())).window.remaining).toBe(LIMIT - 1)
  })

  test('refuses an expired key as expired and counts the request against the address', async () => {
    const admission = open(store)
    const { id, token } = await buildKey()
    await pool.run(sql`update api_keys set expires_at = now() - interval '1 second' where id = ${id}`)
    const address = newAddress()
    await admission.admit(undefined, address)
    const admitted = await admission.admit(token, address)
    expect(admitted).toMatchObject({ key: undefined, refused: 'expired' })
    expect(admitted.window.remaining).toBe(LIMIT - 2)
  })

  test('full access is null as scopes, and a key has its own limit', async () => {
    const admission = open(store)
    const { token, id } = await buildKey({ rateLimit: 2 })
    await pool.run(sql`update api_keys set scopes = null where id = ${id}`)
    const answers: Admitted[] = []
    for (let request = 0; request < 3; request++) answers.push(await admission.admit(token, newAddress()))
    expect(answers[0]?.key?.scopes).toBeNull()
    expect(answers.map(({ window }) => [window.limit, window.remaining, window.exceeded])).toEqual([
      [2, 1, false],
      [2, 0, false],
      [2, 0, true],
    ])
    expect(answers[2]?.key?.keyId).toBe(id)
    const { resetAt = 0, retryAfter } = answers[2]?.window ?? {}
    expect(retryAfter).toBeGreaterThanOrEqual(Math.floor(resetAt - Date.now() / 1000))
    expect(retryAfter).toBeLessThanOrEqual(60)
  })

  test('a key has at most the rate that the operator allows', async () => {
    const { token } = await buildKey({ rateLimit: 1_000_000 })
    const admission = open(store, { bounds: { ...BOUNDS, rate: 2 } })
    const windows = []
    for (let request = 0; request < 3; request++)
      windows.push((await admission.admit(token, newAddress())).window)
    expect(windows.map(({ limit, exceeded }) => [limit, exceeded])).toEqual([
      [2, false],
      [2, false],
      [2, true],
    ])
  })

  test('limits the rate of all keys of an organization together, not those of other organizations', async () => {
    const { org, ownerId, token } = await buildKey({ rateLimit: 100 })
    const second = await createKey(keyContext, org, { name: 'k', scopes: null, createdBy: ownerId })
    const other = await buildKey()
    const admission = open(store, { bounds: { ...BOUNDS, organizationRate: 3 } })
    const ask = async (key: string) => {
      const { window, exceededBy } = await admission.admit(key, newAddress())
      return [window.limit, window.remaining, exceededBy]
    }
    expect(await ask(token)).toEqual([3, 2, undefined])
    expect(await ask(second.key)).toEqual([3, 1, undefined])
    expect(await ask(token)).toEqual([3, 0, undefined])
    expect(await ask(second.key)).toEqual([3, 0, 'organization'])
    expect(await ask(other.token)).toEqual([3, 2, undefined])
  })

  test('counts each of a hundred concurrent requests', async () => {
    const admission = open(store)
    const { token } = await buildKey({ rateLimit: 90 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => admission.admit(token, newAddress())))
    const passed = answers.filter(({ window }) => !window.exceeded)
    expect(passed.map(({ window }) => window.remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 90 }, (_, index) => index),
    )
  })

  test('writes the last use of keys when it closes', async () => {
    const clock = { now: () => new Date('2026-11-20T10:00:00.250Z') }
    const admission = open(store, { clock })
    const { org, token } = await buildKey()
    const { org: idle } = await buildKey()
    await admission.admit(token, newAddress())
    expect((await listKeys(keyContext, org))[0]?.lastUsedAt).toBeNull()
    await admission.close()
    expect((await listKeys(keyContext, org))[0]?.lastUsedAt).toBe('2026-11-20T10:00:00.250Z')
    expect((await listKeys(keyContext, idle))[0]?.lastUsedAt).toBeNull()
  })

  test('another node refuses a deleted key as soon as the deletion is answered', async () => {
    const elsewhere = openPool({ connection, max: 2, statementTimeoutMs: 30_000, onError: () => undefined })
    try {
      const here = open(store)
      const there = open(store, { db: elsewhere })
      const { org, id, token } = await buildKey({ rateLimit: 1_000_000 })
      await Promise.all([here.admit(token, newAddress()), there.admit(token, newAddress())])

      let isDeleted = false
      const deletion = deleteKey(keyContext, org, { id, confirmName: 'Key' }, here).then(() => {
        isDeleted = true
      })
      // Keeps the key in use on the other node until the deletion is answered.
      while (!isDeleted) {
        await there.admit(token, newAddress())
        await new Promise(setImmediate)
      }
      await deletion
      for (const admission of [here, there])
        expect(await admission.admit(token, newAddress())).toMatchObject({ refused: 'unknown' })
    } finally {
      await elsewhere.close()
    }
  })

  test('a database that cannot be reached is an error, not a refusal', async () => {
    const closed = openPool({ connection, max: 1, statementTimeoutMs: 30_000, onError: () => undefined })
    await closed.close()
    const admission = open(store, { db: closed })
    await expect(async () => admission.admit(makeKey(), newAddress())).rejects.toThrow()
  })
})

describe('admission by memory', () => {
  test('admits a cached key synchronously, without a query', async () => {
    const admission = open('memory', { leaseMs: 1e6 })
    const { token } = await buildKey()
    expect(admission.admit(token, newAddress())).toBeInstanceOf(Promise)
    await admission.admit(token, newAddress())
    expect(admission.admit(token, newAddress())).not.toBeInstanceOf(Promise)
  })

  test('refuses a cached key when it expires', async () => {
    let now = Date.now()
    const admission = open('memory', { leaseMs: 1e6, clock: { now: () => new Date(now) } })
    const { token } = await buildKey({ expiresAt: new Date(now + 3_600_000).toISOString() })
    expect((await admission.admit(token, newAddress())).refused).toBeUndefined()
    now += 3_600_000
    expect(await admission.admit(token, newAddress())).toMatchObject({ key: undefined, refused: 'expired' })
  })

  test('starts a new window when the old one has ended', async () => {
    let now = Date.now()
    const admission = open('memory', { clock: { now: () => new Date(now) } })
    const { token } = await buildKey({ rateLimit: 1 })
    const exceeded = async () => (await admission.admit(token, newAddress())).window.exceeded
    expect([await exceeded(), await exceeded()]).toEqual([false, true])
    now += 60_000
    expect(await exceeded()).toBe(false)
  })
})

describe('admission by database', () => {
  test('starts a new window when the old one has ended, by the clock of the database', async () => {
    const admission = open('database')
    const { token } = await buildKey({ rateLimit: 1 })
    const window = async () => (await admission.admit(token, newAddress())).window
    const first = await window()
    expect((await window()).exceeded).toBe(true)
    await pool.run(sql`update rate_windows set ends_at = now()`)
    const next = await window()
    expect(next).toMatchObject({ exceeded: false, remaining: 0 })
    expect(next.resetAt).toBeGreaterThanOrEqual(first.resetAt)
  })

  test('two nodes count in the same window', async () => {
    const [one, two] = [open('database'), open('database')]
    const { token } = await buildKey()
    await one.admit(token, newAddress())
    expect((await two.admit(token, newAddress())).window.remaining).toBe(LIMIT - 2)
  })

  test('removes ended windows and keeps running ones', async () => {
    const admission = new DatabaseAdmission({
      ...{ db: pool, log, clock: wallClock, requestsPerMinute: LIMIT, bounds: BOUNDS },
    })
    opened.push(admission)
    await admission.admit(undefined, newAddress())
    await pool.run(sql`update rate_windows set ends_at = now()`)
    await admission.admit(undefined, newAddress())
    await admission.sweep()
    expect(await pool.one(sql`select count(*) from rate_windows`)).toEqual({ count: 1 })
  })
})

test('on a full disk, where requests cannot be counted, known keys are admitted', async () => {
  const { id, token } = await buildKey()
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  const one: typeof pool.one = (query) =>
    /insert into rate_windows/.test(query.text) ? Promise.reject(full) : pool.one(query)
  const admission = open('database', { db: { ...pool, one } })
  for (const _ of Array.from({ length: LIMIT + 1 }))
    expect(await admission.admit(token, newAddress())).toMatchObject({
      key: { keyId: id },
      window: { limit: LIMIT, remaining: LIMIT, exceeded: false },
    })
  expect(await admission.admit(makeKey(), newAddress())).toMatchObject({ refused: 'unknown' })
})

test('the configuration chooses the admission', async () => {
  const admissionOf = (env: Record<string, string>) => {
    const admission = createAdmission({
      ...{ config: readConfig(env), cells: { opened: new Map() }, admission: pool, log, clock: wallClock },
    })
    opened.push(admission)
    return admission
  }
  expect(admissionOf({})).toBeInstanceOf(MemoryAdmission)
  expect(admissionOf({ RATE_LIMIT_STORE: 'database' })).toBeInstanceOf(DatabaseAdmission)
})
