// Keys that are checked and counted in the cells of their organizations, over HTTP: a directory, two cells, two nodes.
import { setTimeout as delay } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { moveOrganization } from '../../cells/move/service.ts'
import type { Context } from '../../context.ts'
import { type Db, openPool } from '../../db/pool.ts'
import type { App } from '../../http/request.ts'
import { afterFile } from '../../test/after-file.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestCells } from '../../test/cells.ts'
import { startFaultProxy, through } from '../../test/faults/proxy.ts'
import { makeKey } from './key.ts'
import { LEASE_MS } from './lease.ts'

const LIMIT = 40
const PEOPLE = '/api/v1/objects/people/records'
const databases = await createTestCells()
const directory = databases.pool

async function open(rateLimitStore: 'database' | 'memory') {
  const service = await buildTestService({ rateLimitStore, rateLimitPerMinute: LIMIT }, undefined, databases)
  return { service, other: await service.node() }
}

const get = (app: App, key: string) =>
  app.inject({ url: PEOPLE, headers: { authorization: `Bearer ${key}` } })
const statusOf = async (app: App, key: string) => (await get(app, key)).statusCode

/** Collects the statements about keys that `db` receives until the test ends. */
function watch(db: Db): string[] {
  const sent: string[] = []
  for (const method of ['one', 'many', 'maybeOne'] as const) {
    const original = db[method].bind(db) as (query: Sql) => Promise<never>
    const spy = vi.spyOn(db, method).mockImplementation((query: Sql) => {
      if (/from api_keys/.test(query.text)) sent.push(query.text)
      return original(query)
    })
    onTestFinished(() => spy.mockRestore())
  }
  return sent
}

const countedIn = (db: Db, keyId: string) =>
  db.maybeValue<number>(sql`select requests from rate_windows where bucket = uuid_send(${keyId}::uuid)`)

const stores = { database: await open('database'), memory: await open('memory') }

describe.each(['database', 'memory'] as const)('RATE_LIMIT_STORE=%s', (store) => {
  const { service, other } = stores[store]
  const { cells } = service.ctx
  const [one, two] = [cells.of(1), cells.of(2)]
  const nodes = [service.app, other]

  /** An organization whose key both nodes have seen. */
  async function known(ctx: Context = one) {
    const org = await service.org({ ctx })
    for (const node of [...nodes, ...nodes]) expect(await statusOf(node, org.key)).toBe(200)
    return org
  }

  test('requests with a known key send no statement to the directory', async () => {
    const org = await known()
    const [ofDirectory, ofCell] = [watch(cells.of(0).admission), watch(one.admission)]
    for (let n = 0; n < 8; n++) {
      expect(await statusOf(service.app, org.key)).toBe(200)
      await delay(200)
    }
    expect(ofDirectory).toEqual([])
    expect(ofCell.length).toBeGreaterThan(0)
  })

  test('a deleted key is refused by every node immediately', async () => {
    const org = await known()
    const owner = await org.member('owner')
    expect((await owner.delete(`/api-keys/${org.keyId}`, { confirmName: 'test' })).status).toBe(200)
    for (const node of nodes) expect(await statusOf(node, org.key)).toBe(401)
  })

  test('a deleted key is refused also before its cell has copied the deletion', async () => {
    const org = await known()
    const owner = await org.member('owner')
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const copying = one.db.transaction(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('identity copies', 0))`)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const deleted = owner.delete(`/api-keys/${org.keyId}`, { confirmName: 'test' })
    for (let isDone = false; !isDone; ) {
      await Promise.all(nodes.map((node) => statusOf(node, org.key)))
      isDone = await Promise.race([deleted.then(() => true), delay(100, false)])
    }
    expect((await deleted).status).toBe(200)
    expect(await one.db.maybeOne(sql`select from api_keys where id = ${org.keyId}`)).toBeDefined()
    for (const node of nodes) expect(await statusOf(node, org.key)).toBe(401)
    release.resolve()
    await copying
  })

  test('a key that expires in the directory is refused a second later', async () => {
    const org = await known()
    await directory.run(sql`update api_keys set expires_at = now() where id = ${org.keyId}`)
    await cells.copy()
    await delay(1010)
    for (const node of nodes) expect((await get(node, org.key)).payload).toContain('expired')
  })

  test('a key keeps working while and after its organization moves to another cell', async () => {
    const org = await known()
    const statuses = new Set<number>()
    const phases: Promise<unknown>[] = []
    await moveOrganization(service.ctx, { org: org.org, cell: 1 }, 2, {
      signal: new AbortController().signal,
      onPhase: () => {
        phases.push(...nodes.map(async (node) => statuses.add(await statusOf(node, org.key))))
      },
    })
    await Promise.all(phases)
    // Copies as a worker does every second: the end of the move is a change of the organization.
    await cells.copy()
    expect([...statuses]).toEqual([200])
    const { body } = await org.post<{ id: string }>('/objects/people/records', { data: { name: 'Ada' } })
    const url = `${PEOPLE}/${body.id}`
    const read = await other.inject({ url, headers: { authorization: `Bearer ${org.key}` } })
    expect(read.statusCode).toBe(200)
    const there = await two.db.value(sql`select count(*)::int from records where org = ${org.org}`)
    expect(there).toBe(1)
    const sent = watch(cells.of(0).admission)
    await vi.waitFor(
      async () => {
        sent.length = 0
        expect(await statusOf(service.app, org.key)).toBe(200)
        expect(sent).toEqual([])
      },
      { interval: 300 },
    )
  })

  test('while a cell is down, only its own organizations get 503', async () => {
    const [first, second] = [await known(one), await known(two)]
    const opened = cells.opened as Map<number, Context>
    opened.delete(2)
    onTestFinished(() => void opened.set(2, two))
    expect(await statusOf(service.app, second.key)).toBe(503)
    expect(await statusOf(service.app, first.key)).toBe(200)
  })

  test('a cell that does not answer delays one request by a second, but not the next ones', async () => {
    const org = await known()
    const silence = () => new Promise<never>(() => undefined)
    const spies = (['maybeOne', 'many'] as const).map((method) =>
      vi.spyOn(one.admission, method).mockImplementation(silence),
    )
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore()
    })
    const startedAt = performance.now()
    for (let n = 0; n < 4; n++) expect(await statusOf(service.app, org.key)).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(2500)
  })

  test('a directory that does not answer delays one request by a second, but not the next ones', async () => {
    const { admission } = cells.of(0)
    const silence = () => new Promise<never>(() => undefined)
    const spies = (['one', 'many'] as const).map((method) =>
      vi.spyOn(admission, method).mockImplementation(silence),
    )
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore()
    })
    const startedAt = performance.now()
    for (let n = 0; n < 4; n++) {
      const refused = await get(service.app, makeKey())
      expect(refused.statusCode).toBe(503)
      expect(refused.headers['retry-after']).toBeDefined()
    }
    expect(performance.now() - startedAt).toBeLessThan(2500)
    for (const spy of spies) spy.mockRestore()
    await expect.poll(() => statusOf(service.app, makeKey())).toBe(401)
  })

  test('unknown keys are refused after one statement in the directory', async () => {
    const sent = watch(cells.of(0).admission)
    expect(await statusOf(service.app, makeKey())).toBe(401)
    expect(sent).toHaveLength(1)
  })
})

describe('the window of a key', () => {
  const { service, other } = stores.database
  const one = service.ctx.cells.of(1)

  test('is one window for all nodes, in the cell of the key', async () => {
    const org = await service.org({ ctx: one })
    const statuses: number[] = []
    // Four at a time: a cell that takes longer than a second is replaced by the directory, which counts separately.
    while (statuses.length < LIMIT + 12)
      statuses.push(
        ...(await Promise.all(
          [service.app, other, service.app, other].map((node) => statusOf(node, org.key)),
        )),
      )
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
    expect(statuses.filter((status) => status === 429)).toHaveLength(12)
    expect(await countedIn(one.db, org.keyId)).toBe(LIMIT + 12)
  })

  test('is the same before its cell has copied changes', async () => {
    const org = await service.org({ ctx: one })
    await directory.run(sql`
      insert into identity_changes (cell, kind, id) values (1, 'key', ${org.keyId})`)
    for (let n = 0; n < LIMIT; n++) expect(await statusOf(n % 2 ? service.app : other, org.key)).toBe(200)
    expect(await statusOf(other, org.key)).toBe(429)
    expect(await countedIn(one.db, org.keyId)).toBe(LIMIT + 1)
    await service.ctx.cells.copy()
  })
})

test.each(['database', 'memory'] as const)(
  'RATE_LIMIT_STORE=%s: without the directory, known keys work until their lease ends, and again when it is back',
  async (rateLimitStore) => {
    const proxy = await startFaultProxy(databases.connection)
    afterFile(() => proxy.close())
    const connection = through(proxy, databases.connection)
    const pool = openPool({ connection, max: 5, statementTimeoutMs: 30_000, onError: () => undefined })
    afterFile(() => pool.close())
    const {
      app,
      ctx,
      org: make,
    } = await buildTestService({ rateLimitStore }, undefined, {
      ...databases,
      ...{ pool, connection: { ...databases.connection, ...connection } },
    })
    const { key } = await make({ ctx: ctx.cells.of(1) })
    await expect.poll(() => statusOf(app, key)).toBe(200)
    for (let n = 0; n < 4; n++) expect(await statusOf(app, key)).toBe(200)
    proxy.refuse()
    expect(await statusOf(app, key)).toBe(200)
    await delay(LEASE_MS)
    expect(await statusOf(app, key)).toBe(503)
    proxy.accept()
    await expect.poll(() => statusOf(app, key)).toBe(200)
  },
)
