// Erasing all data of a record, over HTTP and by the job.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { ErasurePreview, PrivacyRequest, PrivacyRequestList } from '../../contract/privacy.ts'
import { readConfig } from '../config/config.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../records/engine/maintenance/finish.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'
import { startReceiver } from '../test/receiver.ts'
import { buildEverywhere, type Everywhere, findMarkers } from './erasure.fixture.ts'
import { workOnErasure } from './jobs.ts'

const service = await buildFileService({ indexFrom: 1 })
const { db } = service.ctx
const PEOPLE = '/objects/people/records'

const everywhere = async (): Promise<Everywhere> => buildEverywhere(service, await startReceiver())

const erase = (org: Pick<Org, 'post'>, person: string) =>
  org.post<PrivacyRequest>(`${PEOPLE}/${person}/erasure`, { confirm: person })

const requestOf = async (org: Org, { id }: Pick<PrivacyRequest, 'id'>) =>
  (await org.get<PrivacyRequest>(`/privacy/requests/${id}`)).body

const make = async (org: Org, data: object) => (await org.post<{ id: string }>(PEOPLE, { data })).body.id

/** Checks that index rows and counters are correct. */
async function expectExact({ org }: Org): Promise<void> {
  const objects = await db.many<{ org: number; obj: number }>(
    sql`select org, obj from objects where org = ${org} and slug in ('people', 'companies')`,
  )
  for (const object of objects) {
    await waitUntilIndexed(service.ctx, object)
    expect(await audit(db, object)).toEqual([])
  }
}

describe('an erasure', () => {
  test('removes every value of a person whose data is in every place, and keeps the data of others', async () => {
    const { org, admin, person, loser, other, ownActivity, sharedActivity } = await everywhere()
    await expectExact(org)
    const { body: title } = await org.post<{ id: string }>('/objects/people/attributes', {
      name: 'Secret',
      type: 'text',
    })
    await org.patch(`${PEOPLE}/${person}`, { data: { secret: 'Vextrune secret' } })
    await org.delete(`/objects/people/attributes/${title.id}`)
    await org.delete(`${PEOPLE}/${other}`)
    await org.post(`/objects/people/trash/${other}/restore`)
    expect((await findMarkers(service, org)).length).toBeGreaterThan(30)

    const preview = (await admin.get<ErasurePreview>(`${PEOPLE}/${person}/erasure`)).body
    expect(preview).toMatchObject({
      recordId: person,
      mergedIds: [loser],
      isInTrash: false,
      backupDays: null,
      counts: { records: 2, references: 1, activities: 1, comments: 1, files: 2, merges: 1 },
    })
    const { status, body } = await erase(admin, person)
    expect([status, body.state]).toEqual([201, 'running'])
    await service.drain()

    expect(await findMarkers(service, org)).toEqual([])
    expect(await findMarkers(service, org, ['colleague', 'other@example.com'])).not.toEqual([])
    const done = await requestOf(org, body)
    expect(done).toMatchObject({
      state: 'completed',
      recordIds: [person],
      problem: null,
      counts: {
        records: 2,
        references: 1,
        activities: 1,
        files: 2,
        merges: 1,
        imports: 1,
        importRows: 1,
        reportRuns: 1,
      },
    })
    for (const kind of [
      'events',
      'runs',
      'deliveries',
      'answers',
      'messages',
      'comments',
      'notifications',
    ] as const)
      expect([kind, done.counts[kind] > 0]).toEqual([kind, true])
    for (const id of [person, loser]) expectError(await org.get(`${PEOPLE}/${id}`), 'not_found')
    expect((await org.get(`${PEOPLE}/${other}`)).status).toBe(200)
    expectError(await org.get(`/activities/${ownActivity}`), 'not_found')
    const { body: shared } = await org.get<{ linkedRecords: object[] }>(`/activities/${sharedActivity}`)
    expect(shared.linkedRecords).toHaveLength(1)
    await expectExact(org)
  })

  test('keeps the events in the feed without values, and answers a repeated request with not_found', async () => {
    const org = await service.org()
    const key = { 'idempotency-key': 'create-1' }
    const request = { data: { name: 'Zorblax Quuxley', email: 'zorblax@vextrune.example' } }
    const { body: made } = await org.post<{ id: string }>(PEOPLE, request, key)
    await org.patch(`${PEOPLE}/${made.id}`, { data: { job_title: 'Oldvalue' } })
    await erase(org, made.id)
    await service.drain()
    interface Feed {
      events: { type: string; recordId: string; data: object; changes?: object; erased?: true }[]
    }
    await expect
      .poll(async () => (await org.get<Feed>('/events')).body.events)
      .toMatchObject([
        { type: 'record.created', recordId: made.id, data: {}, erased: true },
        { type: 'record.updated', recordId: made.id, data: {}, changes: {}, erased: true },
        { type: 'record.deleted', recordId: made.id, data: {}, erased: true },
      ])
    const repeated = await org.post(PEOPLE, request, key)
    expect(repeated).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(await findMarkers(service, org)).toEqual([])
  })

  test('works for a record in the trash, and names the winner of a merged record', async () => {
    const org = await service.org()
    const [person, loser] = [
      await make(org, { name: 'Zorblax Quuxley' }),
      await make(org, { name: 'Merrygold' }),
    ]
    await org.post(`${PEOPLE}/merge`, { winnerId: person, loserIds: [loser] })
    const refused = await org.get(`${PEOPLE}/${loser}/erasure`)
    expectError(refused, 'not_found')
    expect(refused.body).toMatchObject({ details: { mergedInto: person } })
    await org.delete(`${PEOPLE}/${person}`)
    expect((await org.get<ErasurePreview>(`${PEOPLE}/${person}/erasure`)).body).toMatchObject({
      isInTrash: true,
    })
    await erase(org, person)
    await service.drain()
    expect(await findMarkers(service, org)).toEqual([])
    expectError(await org.get(`${PEOPLE}/${person}/erasure`), 'not_found')
  })

  test('erases activities in the trash that name only the person, and removes the person from others', async () => {
    const org = await service.org()
    const [person, other] = [await make(org, { name: 'Zorblax' }), await make(org, { name: 'Bob' })]
    const { body: people } = await org.get<{ id: string }>('/objects/people')
    const linked = (...ids: string[]) => ids.map((recordId) => ({ objectId: people.id, recordId }))
    const add = async (title: string, ids: string[]) => {
      const participants = [{ type: 'person', id: person }]
      const input = { title, linkedRecords: linked(...ids), participants }
      const { body } = await org.post<{ id: string }>('/activities', input)
      await org.delete(`/activities/${body.id}`)
      return body.id
    }
    const [own, shared] = [await add('Plimsol', [person]), await add('Offsite', [other, person])]
    const preview = await org.get<ErasurePreview>(`${PEOPLE}/${person}/erasure`)
    expect(preview.body.counts.activities).toBe(1)
    const { body: request } = await erase(org, person)
    await service.drain()
    expect((await requestOf(org, request)).counts.activities).toBe(1)
    const { body } = await org.get<{ activities: object[] }>('/trashed-activities')
    expect(body.activities).toMatchObject([{ id: shared, linkedRecords: linked(other), participants: [] }])
    expectError(await org.post(`/trashed-activities/${own}/restore`), 'not_found')
    expect(await findMarkers(service, org, ['zorblax', 'plimsol'])).toEqual([])
  })

  test('erases an activity in the trash whose other records were deleted permanently', async () => {
    const org = await service.org()
    const [person, bob, winner, loser] = await Promise.all(
      ['Zorblax', 'Bob', 'Winner', 'Loser'].map((name) => make(org, { name })),
    )
    const { body: people } = await org.get<{ id: string }>('/objects/people')
    const add = async (title: string, other = '') => {
      const participants = [{ type: 'person', id: other }]
      const linkedRecords = [{ objectId: people.id, recordId: person }]
      const { body } = await org.post<{ id: string }>('/activities', { title, linkedRecords, participants })
      await org.delete(`/activities/${body.id}`)
      return body.id
    }
    await add('Call with Zorblax', bob)
    await org.delete(`${PEOPLE}/${bob}?permanent=true`)
    // A merged record counts as long as its winner exists.
    const kept = await add('Plan', loser)
    await org.post(`${PEOPLE}/merge`, { winnerId: winner, loserIds: [loser] })
    await org.delete(`/objects/people/trashed-records/${loser}`)
    const preview = await org.get<ErasurePreview>(`${PEOPLE}/${person}/erasure`)
    expect(preview.body.counts.activities).toBe(1)
    await erase(org, person ?? '')
    await service.drain()
    const { body } = await org.get<{ activities: object[] }>('/trashed-activities')
    expect(body.activities).toMatchObject([{ id: kept, linkedRecords: [] }])
    expect(await findMarkers(service, org, ['zorblax'])).toEqual([])
  })

  test('reports the days for which backups of the service keep the data', async () => {
    const { backup } = readConfig({ BACKUP_URL: '/backups', BACKUP_RETENTION_DAYS: '30' })
    const withBackups = await buildTestService({ backup })
    const org = await withBackups.org()
    const person = await make(org, { name: 'Zorblax Quuxley' })
    const { body } = await org.get<ErasurePreview>(`${PEOPLE}/${person}/erasure`)
    expect(body.backupDays).toBe(30)
  })

  test('continues after every interruption, and counts everything once', async () => {
    const { org, person } = await everywhere()
    const { body } = await erase(org, person)
    const ref = { org: org.org, id: body.id }
    let batches = 0
    const stopAt = (limit: number) => {
      let left = limit
      const throwIfAborted = () => {
        if (left-- === 0) throw new Error('stopped')
      }
      return Object.assign(new AbortController().signal, { throwIfAborted })
    }
    for (;;) {
      try {
        await workOnErasure(service.ctx, ref, stopAt(1))
        break
      } catch (error) {
        expect((error as Error).message).toBe('stopped')
        batches++
      }
    }
    expect(batches).toBeGreaterThan(15)
    expect(await findMarkers(service, org)).toEqual([])
    const { counts, state } = await requestOf(org, body)
    expect(state).toBe('completed')
    expect(counts).toMatchObject({
      records: 2,
      references: 1,
      activities: 1,
      files: 2,
      merges: 1,
      imports: 1,
    })
  })

  test('erases a person, and keeps another record that shares a value', async () => {
    const org = await service.org()
    const phone = '+14155550100'
    const [person, other] = [
      await make(org, { name: 'Zorblax Quuxley', phone }),
      await make(org, { name: 'Merrygold', phone }),
    ]
    const key = { 'idempotency-key': 'keep' }
    await org.patch(`${PEOPLE}/${other}`, { data: { job_title: 'Plimsol' } }, key)
    await erase(org, person)
    await service.drain()
    expect(await findMarkers(service, org, ['zorblax'])).toEqual([])
    expect((await org.patch(`${PEOPLE}/${other}`, { data: { job_title: 'Plimsol' } }, key)).status).toBe(200)
  })

  test('waits for a running import that contains the person', async () => {
    const org = await service.org()
    const person = await make(org, { name: 'Zorblax Quuxley', email: 'zorblax@vextrune.example' })
    await db.run(sql`
      insert into imports (org, id, obj, state, file_name, created_by, preview)
      select ${org.org}, uuidv7(), obj, 'running', 'people.csv', ${org.userId}, '[["zorblax@vextrune.example"]]'
      from objects where org = ${org.org} and slug = 'people'`)
    const { body } = await erase(org, person)
    const stop = new AbortController()
    const working = workOnErasure(service.ctx, { org: org.org, id: body.id }, stop.signal)
    await expect.poll(async () => (await requestOf(org, body)).waitsFor).toBe('imports')
    await db.run(sql`update imports set state = 'completed' where org = ${org.org}`)
    await working
    expect(await requestOf(org, body)).toMatchObject({
      state: 'completed',
      waitsFor: null,
      counts: { imports: 1 },
    })
    expect(await findMarkers(service, org)).toEqual([])
  })

  test('is started once, by owners and admins, with the id as confirmation', async () => {
    const org = await service.org()
    const person = await make(org, { name: 'Zorblax' })
    const [admin, member] = await org.members('admin', 'member')
    for (const ask of [
      member.get(`${PEOPLE}/${person}/erasure`),
      member.get('/privacy/requests'),
      erase(member, person),
    ])
      expectError(await ask, 'insufficient_role')
    const path = `${PEOPLE}/${person}/erasure`
    const wrong = await admin.post(path, { confirm: org.id })
    expectError(wrong, 'validation_error')
    expect(wrong.body).toMatchObject({ details: { errors: [{ path: 'confirm' }] } })
    for (const body of [{}, { confirm: 'x' }, { confirm: person, more: 1 }])
      expectError(await admin.post(path, body), 'validation_error')
    const [first, second] = [await erase(admin, person), await erase(admin, person)]
    expect(second.body.id).toBe(first.body.id)
    const theirs = await service.org()
    expectError(await theirs.get(`/privacy/requests/${first.body.id}`), 'not_found')
    expect((await theirs.get<PrivacyRequestList>('/privacy/requests')).body.requests).toEqual([])
    await service.drain()
    const list = (await org.get<PrivacyRequestList>('/privacy/requests?limit=1')).body
    expect(list).toMatchObject({
      requests: [{ id: first.body.id, state: 'completed' }],
      pagination: { limit: 1 },
    })
    expect(JSON.stringify(list)).not.toContain('Zorblax')
  })
})

test('GET /privacy/requests returns page after page', async () => {
  const org = await service.org()
  for (const name of ['One', 'Two', 'Three']) await erase(org, await make(org, { name }))
  const page = async (cursor?: string) =>
    (await org.get<PrivacyRequestList>(`/privacy/requests?limit=2${cursor ? `&cursor=${cursor}` : ''}`)).body
  const first = await page()
  const second = await page(first.pagination.nextCursor)
  expect([first.requests.length, second.requests.length, second.pagination.nextCursor]).toEqual([
    2,
    1,
    undefined,
  ])
  expectError(await org.get('/privacy/requests?cursor=x'), 'invalid_parameter')
  await service.drain()
})
