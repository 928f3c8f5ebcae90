import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventType } from '../../../contract/events.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { recordEvent } from '../../events/outbox.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Reply } from '../../test/dashboard-client.ts'
import { cases } from '../../test/dose.ts'
import { expectError, type Org } from '../../test/factories.ts'

const service = await buildTestService()
const { db } = service.ctx

interface Body {
  id: string
  type: EventType
  [field: string]: unknown
}

/** For polling: open transactions of other test files may delay events for a short time. */
const SOON = { interval: 20 }

interface Page {
  events: Body[]
  nextAfter: string
}

async function readPage(org: Org, query: Record<string, string> = {}): Promise<Page> {
  const reply = await org.get<Page>(`/events?${new URLSearchParams(query)}`)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

const read = async (org: Org, query: Record<string, string> = {}) => (await readPage(org, query)).events

const ids = (events: readonly Body[]) => events.map(({ id }) => id)

async function write(tx: Db, org: Org, type: EventType = 'record.created'): Promise<string> {
  const subject = newId()
  await recordEvent(tx, { org: org.org, userId: null, keyId: null }, { type, subject, data: { nr: 1 } })
  return subject
}

/** Waits until the feed has `count` events. */
async function readAll(org: Org, count: number): Promise<Body[]> {
  await expect.poll(() => read(org, { limit: '100' }), SOON).toHaveLength(count)
  return read(org, { limit: '100' })
}

interface OpenTransaction {
  tx: Db
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** Starts a transaction that stays open until `end` commits it or rolls it back. */
async function begin(): Promise<OpenTransaction> {
  const { promise: opened, resolve: open } = Promise.withResolvers<Db>()
  const { promise: ending, resolve: end } = Promise.withResolvers<'commit' | 'rollback'>()
  const done = db
    .transaction(async (tx) => {
      open(tx)
      if ((await ending) === 'rollback') throw new Error('rolled back')
    })
    .catch((error: Error) => {
      if (error.message !== 'rolled back') throw error
    })
  return {
    tx: await opened,
    end: (how) => {
      end(how)
      return done
    },
  }
}

test('GET /events returns the bodies that webhooks deliver, oldest first', async () => {
  const org = await service.org()
  const { body: company } = await org.post('/objects/companies/records', { data: { name: 'Acme' } })
  const path = `/objects/companies/records/${company['id']}`
  const data = '{"data":{"name":"Acme & Söhne","employees":12345678901234567890.123456789}}'
  await org.patch(path, data)
  await org.delete(path)
  await readAll(org, 3)
  const { payload } = await service.inject({
    url: '/api/v1/events',
    headers: { authorization: `Bearer ${org.key}` },
  })
  expect(payload).toContain('12345678901234567890.123456789')
  const envelope = {
    id: expect.any(String),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    organizationId: org.id,
    actor: { type: 'apiKey', id: org.keyId },
    recordId: company['id'],
    objectId: company['objectId'],
  }
  const [created, updated, deleted] = (JSON.parse(payload) as { events: Body[] }).events
  expect(created).toEqual({ ...envelope, type: 'record.created', version: 1, data: { name: 'Acme' } })
  expect(updated).toMatchObject({
    ...envelope,
    type: 'record.updated',
    version: 2,
    changes: { name: { from: 'Acme', to: 'Acme & Söhne' }, employees: { from: null } },
  })
  expect(deleted).toMatchObject({
    ...envelope,
    type: 'record.deleted',
    version: 3,
    data: { name: 'Acme & Söhne' },
  })
})

test('GET /events returns activities with their title and links', async () => {
  const org = await service.org()
  const { body: activity } = await org.post('/activities', { title: 'First call', type: 'call' })
  const [event] = await readAll(org, 1)
  expect(event).toMatchObject({
    type: 'activity.created',
    activityId: activity['id'],
    title: 'First call',
    linkedRecords: [],
    data: { id: activity['id'], type: 'call' },
  })
})

test('GET /events?after returns the events after the given event', async () => {
  const org = await service.org()
  for (let nr = 0; nr < 5; nr++) await write(db, org)
  const all = ids(await readAll(org, 5))
  const [, second = '', , , last = ''] = all
  expect(ids(await read(org, { limit: '2' }))).toEqual(all.slice(0, 2))
  expect(ids(await read(org, { after: second, limit: '2' }))).toEqual(all.slice(2, 4))
  expect(ids(await read(org, { after: second.toUpperCase() }))).toEqual(all.slice(2))
  expect(await read(org, { after: last })).toEqual([])
})

test('GET /events returns 50 events without `limit`', async () => {
  const org = await service.org()
  await db.transaction(async (tx) => {
    for (let nr = 0; nr < 60; nr++) await write(tx, org)
  })
  await readAll(org, 60)
  expect(await read(org)).toHaveLength(50)
})

test('GET /events?types returns only these types, merged in order', async () => {
  const org = await service.org()
  const written = ['record.created', 'workflow.failed', 'record.deleted', 'record.created'] as const
  for (const type of [...written, ...written]) await write(db, org, type)
  const all = await readAll(org, 8)
  expect(all.map(({ type }) => type)).toEqual([...written, ...written])
  const wanted = all.filter(({ type }) => type.startsWith('record.'))
  const types = 'record.deleted,record.created, record.created'
  expect(ids(await read(org, { types }))).toEqual(ids(wanted))
  expect(ids(await read(org, { types, limit: '4' }))).toEqual(ids(wanted.slice(0, 4)))
  // `after` may be an event of another type.
  expect(ids(await read(org, { types, after: all[1]?.id ?? '' }))).toEqual(ids(wanted.slice(1)))
  expect(await read(org, { types: 'record.updated' })).toEqual([])
})

test.each([
  ['after', 'x', 'unknown_event'],
  ['after', 'end_99999999999999999999_1', 'unknown_event'],
  ['after', `end_${2n ** 63n}_1`, 'unknown_event'],
  ['since', 'yesterday', 'pattern'],
  ['since', '2026-02-30T00:00:00Z', 'invalid_date'],
  ['after', newId(), 'unknown_event'],
  ['types', 'record.created,record.eaten', 'unknown_event_type'],
  ['types', 'constructor', 'unknown_event_type'],
  ['types', 'record.created,', 'unknown_event_type'],
  ['types', '', 'minLength'],
  ['limit', '101', 'maximum'],
])('GET /events rejects %s=%s', async (name, value, code) => {
  const org = await service.org()
  const reply = await org.get(`/events?${new URLSearchParams({ [name]: value })}`)
  expectError(reply, 'invalid_parameter')
  expect(reply.body['details']).toMatchObject({ errors: [{ path: name, code }] })
})

test('GET /events names an unknown type', async () => {
  const org = await service.org()
  const { body } = await org.get('/events?types=record.created,record.eaten')
  expect(body['message']).toMatch(/^types: "record\.eaten" is not an event type: use record\.created, /)
})

test('GET /events returns no events of another organization', async () => {
  const [mine, theirs] = [await service.org(), await service.org()]
  await write(db, mine)
  await write(db, theirs)
  const [[own], [foreign]] = [await readAll(mine, 1), await readAll(theirs, 1)]
  expect(own?.['organizationId']).toBe(mine.id)
  const withoutId = ({ status, body }: Reply) => ({ status, body: { ...body, requestId: '' } })
  const asked = withoutId(await mine.get(`/events?after=${foreign?.id}`))
  expect(asked).toEqual(withoutId(await mine.get(`/events?after=${newId()}`)))
  expect(asked.status).toBe(400)
})

test('an event that commits late comes before the events that waited for it', async () => {
  const org = await service.org()
  await write(db, org)
  const [first] = await readAll(org, 1)
  const after = first?.id ?? ''
  const late = await begin()
  const lateSubject = await write(late.tx, org)
  const quickSubject = await write(db, org)
  expect(await read(org, { after })).toEqual([])
  await late.end('commit')
  await expect.poll(() => read(org, { after }), SOON).toHaveLength(2)
  const subjects = (await read(org, { after })).map(({ recordId }) => recordId)
  expect(subjects).toEqual([lateSubject, quickSubject])
})

type Step = { transaction: number; does: 'write' | 'commit' | 'rollback' } | { does: 'read' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    transaction: fc.nat({ max: 3 }),
    does: fc.constantFrom('write' as const, 'write' as const, 'commit' as const, 'rollback' as const),
  }),
  fc.constant({ does: 'read' as const }),
)

/** Open transactions, and the events that the client must have read at the end. */
class World {
  readonly #org: Org
  readonly #open = new Map<number, { one: OpenTransaction; subjects: string[] }>()
  readonly committed: string[] = []
  readonly seen: Body[] = []
  #after: string | undefined

  constructor(org: Org) {
    this.#org = org
  }

  async write(nr: number): Promise<void> {
    const { one, subjects } = this.#open.get(nr) ?? { one: await begin(), subjects: [] }
    this.#open.set(nr, { one, subjects })
    subjects.push(await write(one.tx, this.#org))
  }

  async end(nr: number, how: 'commit' | 'rollback'): Promise<void> {
    const found = this.#open.get(nr)
    this.#open.delete(nr)
    await found?.one.end(how)
    if (how === 'commit') this.committed.push(...(found?.subjects ?? []))
  }

  async read(): Promise<void> {
    const after = this.#after
    const page = await readPage(this.#org, { limit: '2', ...(after !== undefined && { after }) })
    this.seen.push(...page.events)
    this.#after = page.nextAfter
  }

  async settle(): Promise<void> {
    for (const nr of [...this.#open.keys()]) await this.end(nr, 'commit')
    await expect
      .poll(async () => {
        await this.read()
        return this.seen.length
      }, SOON)
      .toBeGreaterThanOrEqual(this.committed.length)
    await this.read()
  }
}

test('a client that follows `nextAfter` sees each committed event once', { timeout: 120_000 }, async () => {
  const run = async (steps: readonly Step[]) => {
    const org = await service.org()
    const world = new World(org)
    for (const one of steps) {
      if (one.does === 'read') await world.read()
      else if (one.does === 'write') await world.write(one.transaction)
      else await world.end(one.transaction, one.does)
    }
    await world.settle()
    expect(world.seen.map(({ recordId }) => recordId).sort()).toEqual(world.committed.toSorted())
    expect(ids(world.seen)).toEqual(ids(await read(org, { limit: '100' })))
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), run), {
    numRuns: cases(25),
  })
})
