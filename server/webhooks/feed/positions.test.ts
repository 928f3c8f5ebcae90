// Where the feed starts and continues: at its current end, at a time, and after pages without events.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId, newIdAt } from '../../base/id.ts'
import { recordEvent } from '../../events/outbox.ts'
import { dropOldEvents, ensurePartitions } from '../../events/partitions.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const { db } = service.ctx
/** A separate service, because the test drops days of its events. */
const other = await sharedTestService()
const SOON = { interval: 20 }

interface Page {
  events: { id: string; recordId: string }[]
  nextAfter: string
}

const read = async (org: Org, query: Record<string, string> = {}): Promise<Page> =>
  bodyOf(await org.get<Page>(`/events?${new URLSearchParams(query)}`))

const subjects = ({ events }: Page) => events.map(({ recordId }) => recordId)

async function write(org: Org, type: 'record.created' | 'record.deleted' = 'record.created') {
  const subject = newId()
  await recordEvent(db, { org: org.org, userId: null, keyId: null }, { type, subject, data: {} })
  return subject
}

/** Writes an event with the given time in its id. */
async function writeAt(org: Org, time: string): Promise<string> {
  const subject = newId()
  await db.run(sql`
    insert into events (org, id, type, subject, data)
    values (${org.org}, ${newIdAt(new Date(time))}, 'record.created', ${subject}, '{}')`)
  return subject
}

/** Waits for the expected events: open transactions of other test files may delay them for a short time. */
const readSoon = async (org: Org, query: Record<string, string>, expected: readonly string[]) => {
  await expect.poll(async () => subjects(await read(org, query)), SOON).toEqual(expected)
  return read(org, query)
}

test('after=latest returns an empty page, and new events come after its nextAfter', async () => {
  const org = await service.org()
  const old = await write(org)
  await readSoon(org, {}, [old])
  const { events, nextAfter } = await read(org, { after: 'latest' })
  expect(events).toEqual([])
  const [first, second] = [await write(org), await write(org)]
  const page = await readSoon(org, { after: nextAfter }, [first, second])
  expect(await read(org, { after: page.nextAfter })).toMatchObject({ events: [] })
})

test('after=latest works for an organization without events', async () => {
  const org = await service.org()
  const { nextAfter } = await read(org, { after: 'latest', types: 'record.deleted' })
  const deleted = await write(org, 'record.deleted')
  await readSoon(org, { after: nextAfter, types: 'record.deleted' }, [deleted])
})

test('every page has nextAfter: its last event for a full page, otherwise the end', async () => {
  const org = await service.org()
  const all = [await write(org), await write(org), await write(org)]
  await readSoon(org, {}, all)
  const full = await read(org, { limit: '2' })
  expect(full.nextAfter).toBe(full.events[1]?.id)
  const rest = await read(org, { after: full.nextAfter, limit: '2' })
  expect(subjects(rest)).toEqual(all.slice(2))
  expect(rest.nextAfter).toMatch(/^end_\d+_\d+$/)
  const empty = await read(org, { after: rest.nextAfter })
  const nextAfter = expect.stringMatching(/^end_\d+_\d+$/)
  expect(empty).toEqual({ events: [], nextAfter, caller: { type: 'apiKey', id: org.keyId } })
  const next = await write(org)
  await readSoon(org, { after: empty.nextAfter }, [next])
})

test('since starts with the first event at or after that time, in the order of the feed', async () => {
  const org = await service.org()
  const before = await writeAt(org, '2026-05-01T10:00:00.000Z')
  const at = await writeAt(org, '2026-05-01T10:00:01.000Z')
  const late = await writeAt(org, '2026-05-01T09:00:00.000Z')
  const after = await writeAt(org, '2026-05-02T10:00:00.000Z')
  await readSoon(org, {}, [before, at, late, after])
  await readSoon(org, { since: '2026-05-01T10:00:00.001Z' }, [at, late, after])
  await readSoon(org, { since: '2026-05-01T12:00:01.000+02:00' }, [at, late, after])
  const page = await read(org, { since: '2026-05-01T10:00:01.000Z', limit: '1' })
  expect(subjects(await read(org, { after: page.nextAfter }))).toEqual([late, after])
})

test('since with a future time starts at the current end', async () => {
  const org = await service.org()
  await readSoon(org, {}, [await write(org)])
  const { events, nextAfter } = await read(org, { since: '9999-12-31T23:59:59Z' })
  expect(events).toEqual([])
  const next = await write(org)
  await readSoon(org, { after: nextAfter }, [next])
})

test('rejects since together with after', async () => {
  const org = await service.org()
  const reply = await org.get(
    `/events?${new URLSearchParams({ since: '2026-05-01T10:00:00Z', after: 'latest' })}`,
  )
  expectError(reply, 'invalid_parameter')
  expect(reply.body['details']).toMatchObject({ errors: [{ path: 'since', code: 'given_twice' }] })
})

test('rejects a position ahead of all events, such as one of a lost database', async () => {
  const org = await service.org()
  const reply = await org.get(`/events?after=end_${2n ** 62n}_${Date.now()}`)
  expectError(reply, 'invalid_parameter')
  expect(reply.body['details']).toMatchObject({ errors: [{ path: 'after', code: 'expired_position' }] })
})

test('rejects a position whose following events are deleted, and names the oldest time', async () => {
  const at = (day: number) => new Date(Date.UTC(2031, 2, day, 12))
  const { db: own } = other.ctx
  const org = await other.org()
  await own.run(sql`update organizations set created_at = '2031-03-01' where org = ${org.org}`)
  await ensurePartitions(own, at(1))
  await ensurePartitions(own, at(8))
  const insert = (day: number) => {
    const id = newIdAt(at(day))
    return own
      .run(
        sql`insert into events (org, id, type, subject, data) values (${org.org}, ${id}, 'record.deleted', ${id}, '{}')`,
      )
      .then(() => id)
  }
  const [lost, kept] = [await insert(2), await insert(8)]
  await dropOldEvents(own, at(8), 5)
  const oldest = '2031-03-03T00:00:00.000Z'
  for (const [path, value] of [
    ['after', lost],
    ['after', `end_5_${at(2).getTime()}`],
    ['since', at(2).toISOString()],
  ] as const) {
    const reply = await org.get(`/events?${new URLSearchParams({ [path]: value })}`)
    expectError(reply, 'invalid_parameter')
    const message = expect.stringContaining(oldest)
    expect(reply.body['details']).toMatchObject({ errors: [{ path, code: 'expired_position', message }] })
  }
  const found = async () => (await org.get<Page>(`/events?since=${oldest}`)).body.events.map(({ id }) => id)
  await expect.poll(found, SOON).toEqual([kept])
  // An organization that was created later has lost no events.
  const young = await other.org()
  await own.run(sql`update organizations set created_at = '2031-03-05' where org = ${young.org}`)
  expect((await young.get(`/events?since=${at(2).toISOString()}`)).status).toBe(200)
})
