// Concurrent writers of the same records: the feed and the history agree with the versions of each record.
import { expect, test } from 'vitest'
import type { CrmRecord } from '../../contract/records.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'

const service = await buildTestService()
const SOON = { interval: 20 }
const WRITERS = 8
const RECORDS = 12
const COMPANIES = '/objects/companies/records'

interface Event {
  id: string
  type: string
  timestamp: string
  version: number
  recordId?: string
  activityId?: string
  data: Record<string, unknown>
  changes?: Record<string, { from: unknown; to: unknown }>
}

async function readFeed(org: Org): Promise<Event[]> {
  const events: Event[] = []
  for (;;) {
    const after = events.at(-1)?.id
    const path = `/events?limit=100${after === undefined ? '' : `&after=${after}`}`
    const { body } = await org.get<{ events: Event[] }>(path)
    events.push(...body.events)
    if (body.events.length === 0) return events
  }
}

/** The complete feed. Waits for all events, because other tests may have open transactions for a short time. */
async function readWholeFeed(org: Org): Promise<Event[]> {
  const { length } = await org.events()
  await expect.poll(async () => (await readFeed(org)).length, SOON).toBe(length)
  return readFeed(org)
}

const subjectOf = ({ recordId, activityId }: Event) => recordId ?? activityId ?? ''

/** The state of a receiver that applies the events one after the other. */
function mirrorOf(events: readonly Event[]): Map<string, Pick<CrmRecord, 'version' | 'data'>> {
  const mirror = new Map<string, Pick<CrmRecord, 'version' | 'data'>>()
  for (const event of events) {
    if (event.type.endsWith('.deleted')) mirror.delete(subjectOf(event))
    else mirror.set(subjectOf(event), { version: event.version, data: event.data })
  }
  return mirror
}

/** Events that do not follow from the previous event of the same subject. */
function faultsOf(events: readonly Event[]): string[] {
  const last = new Map<string, Event>()
  return events.flatMap((event) => {
    const subject = subjectOf(event)
    const before = last.get(subject)
    last.set(subject, event)
    const faults: string[] = []
    if (event.version !== (before?.version ?? 0) + 1)
      faults.push(`${event.type} ${subject}: version ${event.version} behind ${before?.version}`)
    if (before && event.timestamp < before.timestamp)
      faults.push(`${event.type} ${subject}: at ${event.timestamp} behind ${before.timestamp}`)
    for (const [slug, { from }] of Object.entries(event.changes ?? {}))
      if ((before?.data[slug] ?? null) !== (from ?? null))
        faults.push(`${slug} of ${subject}: from ${from}, but it was ${before?.data[slug]}`)
    return faults
  })
}

async function createCompanies(org: Org): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < RECORDS; n++)
    ids.push((await org.post<CrmRecord>(COMPANIES, { data: { name: `${n}` } })).body.id)
  return ids
}

type Send = (id: string, writer: number) => Promise<{ status: number }>
type Way = (org: Org) => Send

/** All writers change each record concurrently, one record after the other. */
async function race(ids: readonly string[], send: Send): Promise<void> {
  for (const id of ids) await Promise.all(Array.from({ length: WRITERS }, (_, writer) => send(id, writer)))
}

const patchPlain: Way = (org) => (id, writer) =>
  org.patch(`${COMPANIES}/${id}`, { data: { employees: writer + 1 } })
const patchUnique: Way = (org) => (id, writer) =>
  org.patch(`${COMPANIES}/${id}`, { data: { domain: `${id}-${writer}.example` } })
const patchWithKey: Way = (org) => (id, writer) => {
  const key = { 'idempotency-key': `${id} ${writer}` }
  return org.patch(`${COMPANIES}/${id}`, { data: { employees: writer + 1 } }, key)
}
const upsertInBulk: Way = (org) => (id, writer) => {
  const records = [{ id, data: { employees: writer + 1 } }]
  return org.post(`${COMPANIES}/bulk`, { mode: 'upsert', records })
}
const mixed: Way = (org) => (id, writer) => {
  const ways = [patchPlain, patchUnique, patchWithKey, upsertInBulk]
  return (ways[writer % ways.length] ?? patchPlain)(org)(id, writer)
}

test.each<[string, Way]>([
  ['of a plain attribute', patchPlain],
  ['of a unique attribute', patchUnique],
  ['with an Idempotency-Key', patchWithKey],
  ['by bulk upserts', upsertInBulk],
  ['of all these kinds', mixed],
])('concurrent changes of one record %s: a mirror built from the feed is correct', async (_, way) => {
  const org = await service.org()
  const ids = await createCompanies(org)
  const send = way(org)
  await race(ids, async (id, writer) => {
    const reply = await send(id, writer)
    expect(reply.status).toBe(200)
    return reply
  })
  const events = await readWholeFeed(org)
  expect(faultsOf(events)).toEqual([])
  const mirror = mirrorOf(events)
  for (const id of ids) {
    const { body } = await org.get<CrmRecord>(`${COMPANIES}/${id}`)
    expect({ id, ...mirror.get(id) }).toEqual({ id, version: body.version, data: body.data })
  }
})

test('the history of a record with concurrent changes lists every version, from the last to the first', async () => {
  const org = await service.org()
  const mia = await org.member('member')
  const ids = await createCompanies(org)
  await race(ids, mixed(org))
  for (const id of ids) {
    const { body } = await mia.get<{ entries: Event[] }>(`${COMPANIES}/${id}/history`)
    const { version } = (await org.get<CrmRecord>(`${COMPANIES}/${id}`)).body
    expect(body.entries.map((entry) => entry.version)).toEqual(
      Array.from({ length: version }, (_, n) => version - n),
    )
  }
})

test('the last event of a record that is deleted while it is changed is record.deleted', async () => {
  const org = await service.org()
  const ids = await createCompanies(org)
  const send = mixed(org)
  await race(ids, (id, writer) => (writer === 3 ? org.delete(`${COMPANIES}/${id}`) : send(id, writer)))
  const events = await readWholeFeed(org)
  expect(faultsOf(events)).toEqual([])
  const last = new Map(events.map((event) => [event.recordId, event.type]))
  expect(new Set(last.values())).toEqual(new Set(['record.deleted']))
})

test('a deletion that clears a reference increases the version of the record with that reference', async () => {
  const org = await service.org()
  const company = (await org.post<CrmRecord>(COMPANIES, { data: { name: 'Acme' } })).body
  const data = { name: 'Ada', company: company.id }
  const person = (await org.post<CrmRecord>('/objects/people/records', { data })).body
  expect((await org.delete(`${COMPANIES}/${company.id}`)).status).toBe(200)
  const events = await readWholeFeed(org)
  expect(faultsOf(events)).toEqual([])
  expect(events.map(({ type, version, recordId }) => [type, version, recordId])).toEqual([
    ['record.created', 1, company.id],
    ['record.created', 1, person.id],
    ['record.updated', 2, person.id],
    ['record.deleted', 2, company.id],
  ])
  expect((await org.get<CrmRecord>(`/objects/people/records/${person.id}`)).body.version).toBe(2)
})

test('a response contains the version of the record, and a change without effect keeps the version', async () => {
  const org = await service.org()
  const created = (await org.post<CrmRecord>(COMPANIES, { data: { name: 'Acme' } })).body
  expect(created.version).toBe(1)
  const path = `${COMPANIES}/${created.id}`
  expect((await org.patch<CrmRecord>(path, { data: { name: 'Acme' } })).body.version).toBe(1)
  const changed = (await org.patch<CrmRecord>(path, { data: { name: 'Acme Corp' } })).body
  expect(changed.version).toBe(2)
  expect((await org.get<CrmRecord>(path)).body).toEqual(changed)
  expect((await org.get<{ records: CrmRecord[] }>(COMPANIES)).body.records).toEqual([changed])
  const search = await org.post<{ records: CrmRecord[] }>(`${COMPANIES}/search`, {})
  expect(search.body.records).toEqual([changed])
})

test('concurrent changes of one activity: a mirror built from the feed is correct', async () => {
  const org = await service.org()
  const ids: string[] = []
  for (let n = 0; n < RECORDS / 2; n++)
    ids.push((await org.post<{ id: string }>('/activities', { title: `${n}` })).body.id)
  await race(ids, (id, writer) =>
    org.patch(
      `/activities/${id}`,
      { title: `${writer}` },
      writer % 2 ? { 'idempotency-key': `${id} ${writer}` } : {},
    ),
  )
  const events = await readWholeFeed(org)
  expect(faultsOf(events)).toEqual([])
  const mirror = mirrorOf(events)
  for (const id of ids) expect((await org.get(`/activities/${id}`)).body).toEqual(mirror.get(id)?.data)
})
