import { describe, expect, test } from 'vitest'
import { newId } from '../base/id.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { addRecord, type Body, create, NO_SUCH, titles } from './activities.fixture.ts'

const service = await sharedTestService()

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

const problems = ({ body }: { body: Record<string, unknown> }) =>
  (body['details'] as { errors: { path: string; code: string }[] }).errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

const activityEvents = async (org: Org) =>
  (await org.events()).filter(({ type }) => type.startsWith('activity.'))

describe('POST /activities', () => {
  test('returns the whole activity, and writes it to an event', async () => {
    const org = await service.org()
    const [ada, acme] = [await addRecord(org, 'people'), await addRecord(org, 'companies', 'Acme')]
    const input = {
      type: 'task',
      title: 'Kick-off',
      summary: 'We agreed',
      activityDate: '2026-11-20T10:00:00.000Z',
      completedAt: '2026-11-20T11:00:00.000Z',
      linkedRecords: [acme, ada],
      participants: [
        { type: 'user', id: org.userId },
        { type: 'person', id: ada.recordId },
      ],
    }
    const reply = await org.post<Body>('/activities', input)
    expect(reply.status).toBe(201)
    expect(reply.headers['etag']).toMatch(/^"[0-9a-z]+\.[\w-]{11}"$/)
    expect(reply.body).toEqual({
      id: uuid,
      ...input,
      assignee: null,
      createdBy: { id: org.userId, name: 'Olivia Owner', email: `owner-${org.userId}@example.com` },
      createdAt: iso,
      updatedAt: iso,
      version: 1,
    })
    expect(await activityEvents(org)).toEqual([
      { type: 'activity.created', subject: reply.body.id, data: reply.body, changes: null },
    ])
    const read = await org.get(`/activities/${reply.body.id}`)
    expect(read.body).toEqual(reply.body)
    expect(read.headers['etag']).toBe(reply.headers['etag'])
  })

  test('requires only a title', async () => {
    const org = await service.org()
    const before = Date.now()
    const { body } = await create(org)
    const empty = { summary: '', completedAt: null, linkedRecords: [], participants: [] }
    expect(body).toMatchObject({ type: 'note', title: 'Call', ...empty })
    expect(Date.parse(body.activityDate)).toBeGreaterThanOrEqual(before)
  })

  test.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00.123456+05:30', '2026-11-20T04:30:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('returns the date %s as %s', async (activityDate, expected) => {
    const org = await service.org()
    const { body } = await create(org, { activityDate })
    expect(body.activityDate).toBe(expected)
    expect((await org.get(`/activities/${body.id}`)).body['activityDate']).toBe(expected)
  })

  test('accepts the slug of an object, and returns its id', async () => {
    const org = await service.org()
    const ada = await addRecord(org, 'people')
    const { body } = await create(org, { linkedRecords: [{ ...ada, objectId: 'people' }] })
    expect(body.linkedRecords).toEqual([ada])
    const acme = await addRecord(org, 'companies', 'Acme')
    const patch = { linkedRecords: [{ ...acme, objectId: 'companies' }] }
    expect((await org.patch(`/activities/${body.id}`, patch)).body['linkedRecords']).toEqual([acme])
  })

  test('returns ids in lower case', async () => {
    const org = await service.org()
    const ada = await addRecord(org, 'people')
    const { body } = await create(org, {
      linkedRecords: [{ objectId: ada.objectId.toUpperCase(), recordId: ada.recordId.toUpperCase() }],
      participants: [{ type: 'person', id: ada.recordId.toUpperCase() }],
    })
    expect(body.linkedRecords).toEqual([ada])
    expect(body.participants).toEqual([{ type: 'person', id: ada.recordId }])
  })

  test.each([
    [{}, ['title: required']],
    [{ title: '' }, ['title: minLength']],
    [{ title: 'x'.repeat(501) }, ['title: maxLength']],
    [{ title: 'a\u0000' }, ['title: invalid_text']],
    [{ title: 'a', summary: '\udfff' }, ['summary: invalid_text']],
    [{ title: 'a', color: 'red' }, ['color: unknown_field']],
    [{ title: 'a', activityDate: 'tomorrow' }, ['activityDate: pattern']],
    [{ title: 'a', activityDate: '2026-02-30T00:00:00Z' }, ['activityDate: invalid_date']],
    [{ title: 'a', type: 'letter' }, ['type: enum']],
    [{ title: 'a', completedAt: '2026-11-20T11:00:00Z' }, ['completedAt: not_a_task']],
    [{ title: 'a', type: 'task', completedAt: '2026-02-30T00:00:00Z' }, ['completedAt: invalid_date']],
    [{ title: 'a', activityDate: '0000-01-01T00:00:00Z' }, ['activityDate: invalid_date']],
    [{ title: 'a', activityDate: '9999-12-31T23:00:00-05:00' }, ['activityDate: invalid_date']],
    [{ title: 'a', participants: [{ type: 'robot', id: NO_SUCH }] }, ['participants[0].type: enum']],
    [
      { title: 'a', linkedRecords: [{ objectId: 'nothing', recordId: NO_SUCH }] },
      ['linkedRecords[0].objectId: invalid_reference'],
    ],
    [
      {
        title: 'a',
        linkedRecords: Array.from({ length: 101 }, () => ({ objectId: NO_SUCH, recordId: newId() })),
      },
      ['linkedRecords: maxItems'],
    ],
  ])('refuses %j', async (input, expected) => {
    const org = await service.org()
    const reply = await org.post('/activities', input)
    expectError(reply, 'validation_error')
    expect(problems(reply)).toEqual(expected)
    expect(await org.events()).toEqual([])
  })

  test('reports every link to a missing record, and every duplicate link', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const [ada, acme] = [await addRecord(org, 'people'), await addRecord(org, 'companies')]
    const foreign = await addRecord(other, 'people')
    const reply = await org.post('/activities', {
      title: 'Call',
      activityDate: '2026-02-30T00:00:00Z',
      linkedRecords: [
        ada,
        foreign,
        { objectId: ada.objectId, recordId: foreign.recordId },
        { ...ada, objectId: acme.objectId },
        { objectId: ada.objectId.toUpperCase(), recordId: ada.recordId },
      ],
      participants: [
        { type: 'user', id: org.userId },
        { type: 'user', id: other.userId },
        { type: 'person', id: acme.recordId },
        { type: 'person', id: ada.recordId },
        { type: 'user', id: org.userId.toUpperCase() },
        { type: 'user', id: ada.recordId },
      ],
    })
    expectError(reply, 'validation_error')
    expect(problems(reply).sort()).toEqual([
      'activityDate: invalid_date',
      'linkedRecords[1]: invalid_reference',
      'linkedRecords[2]: invalid_reference',
      'linkedRecords[3]: invalid_reference',
      'linkedRecords[4]: duplicate',
      'participants[1]: invalid_reference',
      'participants[2]: invalid_reference',
      'participants[4]: duplicate',
      'participants[5]: invalid_reference',
    ])
    expect(await activityEvents(org)).toEqual([])
  })

  test('creates one activity for repeated requests with the same Idempotency-Key', async () => {
    const org = await service.org()
    const first = await org.post('/activities', { title: 'Call' }, { 'idempotency-key': 'k' })
    const second = await org.post('/activities', { title: 'Call' }, { 'idempotency-key': 'k' })
    expect(second.body).toEqual(first.body)
    expect(await titles(org)).toEqual(['Call'])
  })
})

describe('PATCH /activities/:activityId', () => {
  test('changes the given fields, and writes the whole activity to an event', async () => {
    const org = await service.org()
    const [ada, bob] = [await addRecord(org, 'people'), await addRecord(org, 'people', 'Bob')]
    const { body, headers } = await create(org, { linkedRecords: [ada], summary: 'old' })
    const patched = await org.patch<Body>(`/activities/${body.id}`, {
      summary: 'new',
      linkedRecords: [bob],
      participants: [{ type: 'person', id: ada.recordId }],
    })
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual({
      ...body,
      summary: 'new',
      linkedRecords: [bob],
      participants: [{ type: 'person', id: ada.recordId }],
      updatedAt: iso,
      version: 2,
    })
    expect(patched.headers['etag']).not.toBe(headers['etag'])
    expect((await activityEvents(org)).at(-1)).toEqual({
      type: 'activity.updated',
      subject: body.id,
      data: patched.body,
      changes: null,
    })
    expect(await titles(org, `?recordId=${ada.recordId}`)).toEqual([])
    expect(await titles(org, `?recordId=${bob.recordId}`)).toEqual(['Call'])
    expect(await titles(org, '?objectId=people')).toEqual(['Call'])
    await org.patch(`/activities/${body.id}`, { linkedRecords: [] })
    expect(await titles(org, '?objectId=people')).toEqual([])
  })

  test('without changes makes no event and no new version', async () => {
    const org = await service.org()
    const ada = await addRecord(org, 'people')
    const activityDate = '2026-11-20T10:00:00+00:00'
    const { body, headers } = await create(org, { linkedRecords: [ada], activityDate })
    for (const patch of [{}, { title: 'Call' }, { linkedRecords: [ada], activityDate, participants: [] }]) {
      const same = await org.patch(`/activities/${body.id}`, patch)
      expect(same.body).toEqual(body)
      expect(same.headers['etag']).toBe(headers['etag'])
    }
    expect(await activityEvents(org)).toHaveLength(1)
  })

  test('changes the order of links', async () => {
    const org = await service.org()
    const [ada, bob] = [await addRecord(org, 'people'), await addRecord(org, 'people', 'Bob')]
    const { body } = await create(org, { linkedRecords: [ada, bob] })
    const turned = await org.patch<Body>(`/activities/${body.id}`, { linkedRecords: [bob, ada] })
    expect(turned.body.linkedRecords).toEqual([bob, ada])
    expect(await titles(org, `?recordId=${ada.recordId}`)).toEqual(['Call'])
  })

  test('refuses a stale If-Match', async () => {
    const org = await service.org()
    const { body, headers } = await create(org)
    const ifMatch = { 'if-match': String(headers['etag']) }
    expect((await org.patch(`/activities/${body.id}`, { title: 'a' }, ifMatch)).status).toBe(200)
    expectError(await org.patch(`/activities/${body.id}`, { title: 'b' }, ifMatch), 'precondition_failed')
    expectError(await org.delete(`/activities/${body.id}`, undefined, ifMatch), 'precondition_failed')
  })

  test.each([
    { title: null },
    { title: '' },
    { title: '\u0000' },
    { id: NO_SUCH },
    { activityDate: '2026-02-30T00:00:00Z' },
  ])('refuses %j', async (patch) => {
    const org = await service.org()
    const { body } = await create(org)
    expectError(await org.patch(`/activities/${body.id}`, patch), 'validation_error')
    expect((await org.get(`/activities/${body.id}`)).body).toEqual(body)
  })

  test('refuses links to records of another organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const foreign = await addRecord(other, 'people')
    const { body } = await create(org)
    const reply = await org.patch(`/activities/${body.id}`, { linkedRecords: [foreign] })
    expectError(reply, 'validation_error')
    expect(problems(reply)).toEqual(['linkedRecords[0]: invalid_reference'])
  })
})

describe('DELETE /activities/:activityId', () => {
  test('deletes the activity, and writes its last state to an event', async () => {
    const org = await service.org()
    const ada = await addRecord(org, 'people')
    const { body } = await create(org, { linkedRecords: [ada] })
    const deleted = await org.delete(`/activities/${body.id}`)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ id: body.id, deleted: true })
    expectError(await org.get(`/activities/${body.id}`), 'not_found')
    expectError(await org.delete(`/activities/${body.id}`), 'not_found')
    expect(await titles(org, `?recordId=${ada.recordId}`)).toEqual([])
    expect((await activityEvents(org)).at(-1)).toEqual({
      type: 'activity.deleted',
      subject: body.id,
      data: body,
      changes: null,
    })
  })
})
