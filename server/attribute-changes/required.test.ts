// Attributes that become required or optional while some records have no value.
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../contract/records.ts'
import { buildProjects, create, iso, list } from '../model/attributes/projects.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()
const RECORDS = '/objects/projects/records'

const make = (org: Org, data: object) => org.post<CrmRecord>(RECORDS, { data })
const patch = (org: Org, { id }: Pick<CrmRecord, 'id'>, data: object) =>
  org.patch<CrmRecord>(`${RECORDS}/${id}`, { data })

const problems = ({ body }: { body: object }) =>
  (body as { details: { errors: { path: string; code: string }[] } }).details.errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

/** An object of projects with a note and a budget, and one record without either. */
async function setUp(note: object = {}) {
  const { org } = await buildProjects(service)
  const { body: attribute, headers } = await create(org, { name: 'Note', type: 'text', ...note })
  await create(org)
  const { body: empty } = await make(org, {})
  const path = `/objects/projects/attributes/${attribute.id}`
  const require = (isRequired: unknown = true, more?: Record<string, string>) =>
    org.patch(path, { isRequired }, more)
  return { org, attribute, etag: String(headers['etag']), empty, path, require }
}

describe('PATCH /objects/:objectId/attributes/:attributeId with isRequired', () => {
  test('returns the attribute, and changes the ETags of the attribute and its object', async () => {
    const { org, attribute, etag, path, require } = await setUp()
    const before = await org.get('/objects/projects')
    const changed = await require()
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...attribute, isRequired: true, updatedAt: iso })
    expect(changed.headers['etag']).not.toBe(etag)
    expect((await org.get('/objects/projects')).headers['etag']).not.toBe(before.headers['etag'])
    expect((await org.get(path)).body).toEqual(changed.body)
    const same = await require()
    expect([same.body, same.headers['etag']]).toEqual([changed.body, changed.headers['etag']])
    const both = await org.patch(path, { isRequired: false, name: 'Remark' })
    expect(both.body).toMatchObject({ isRequired: false, name: 'Remark' })
  })

  test('requires a value in new records, and the value cannot be cleared', async () => {
    const { org, require } = await setUp()
    await require()
    expect(problems(await make(org, {}))).toEqual(['data.note: required'])
    const { body: record } = await make(org, { note: 'a' })
    expect(problems(await patch(org, record, { note: null }))).toEqual(['data.note: required'])
    const rows = [{ data: { budget: 1 } }, { data: { note: 'b' } }]
    const bulk = await org.post<{ results: { status: string }[] }>(`${RECORDS}/bulk`, { records: rows })
    expect(bulk.body.results.map(({ status }) => status)).toEqual(['failed', 'created'])
    await require(false)
    expect((await make(org, {})).status).toBe(201)
    expect((await patch(org, record, { note: null })).body.data).toEqual({})
  })

  test('still reads and changes records without a value, until they have one', async () => {
    const { org, empty, require } = await setUp()
    await require()
    expect(await patch(org, empty, { budget: 5 })).toMatchObject({
      status: 200,
      body: { data: { budget: 5 } },
    })
    await patch(org, empty, { note: 'a' })
    expect(problems(await patch(org, empty, { note: null }))).toEqual(['data.note: required'])
    expect(problems(await patch(org, empty, { note: '' }))).toEqual(['data.note: required'])
  })

  test('requires an element in a list', async () => {
    const { org, empty, require } = await setUp({ isList: true })
    await require()
    expect(problems(await make(org, { note: [] }))).toEqual(['data.note: required'])
    expect((await patch(org, empty, { note: ['a'] })).status).toBe(200)
    expect(problems(await patch(org, empty, { note: [] }))).toEqual(['data.note: required'])
  })

  test('works for the naming attribute', async () => {
    const { org, empty, attribute, require } = await setUp({ name: 'Title' })
    expect(attribute.slug).toBe('title')
    expect((await require()).body).toMatchObject({ isNaming: true, isRequired: true })
    expect(problems(await make(org, {}))).toEqual(['data.title: required'])
    expect((await patch(org, empty, { budget: 1 })).status).toBe(200)
  })

  test('requires values for an inactive attribute when it is active again', async () => {
    const { org, path, require } = await setUp()
    await org.patch(`${path}/active`, { isActive: false })
    expect((await require()).body).toMatchObject({ isActive: false, isRequired: true })
    expect((await make(org, {})).status).toBe(201)
    await org.patch(`${path}/active`, { isActive: true })
    expect(problems(await make(org, {}))).toEqual(['data.note: required'])
  })

  test.each(['yes', null, 1])('refuses %j', async (isRequired) => {
    const { org, require } = await setUp()
    const refused = await require(isRequired)
    expectError(refused, 'validation_error')
    expect(problems(refused)).toEqual(['isRequired: type'])
    expect((await list(org))[0]).toMatchObject({ isRequired: false })
  })

  test('refuses a stale If-Match', async () => {
    const { etag, require } = await setUp()
    expect((await require(true, { 'if-match': etag })).status).toBe(200)
    expectError(await require(false, { 'if-match': etag }), 'precondition_failed')
  })

  test('does not change built-in attributes', async () => {
    const org = await service.org()
    const before = await org.get('/objects/people/attributes/email')
    expectError(await org.patch('/objects/people/attributes/email', { isRequired: true }), 'standard_object')
    expectError(await org.patch('/objects/people/attributes/name', { isRequired: false }), 'standard_object')
    const same = await org.patch('/objects/people/attributes/email', { isRequired: false })
    expect(same).toMatchObject({ status: 200, body: before.body })
  })

  test('needs attributes:write and an attribute of the organization', async () => {
    const [{ org, path }, other] = [await setUp(), await setUp()]
    const authorization = `Bearer ${await org.keyWith(['attributes:read', 'records:write'])}`
    expectError(await org.patch(path, { isRequired: true }, { authorization }), 'insufficient_scope')
    expectError(await other.org.patch(path, { isRequired: true }), 'not_found')
  })
})

describe('for an attribute that became required', () => {
  test('undoing the change that set the value reports a conflict, and undoes the rest', async () => {
    const { org, empty, require } = await setUp()
    const { body: record } = await patch(org, empty, { note: 'a', budget: 5 })
    await require()
    const undone = await org.post(`${RECORDS}/${empty.id}/undo`, { version: record.version })
    expect(undone).toMatchObject({
      status: 200,
      body: {
        record: { data: { note: 'a' } },
        conflicts: [{ attributeSlug: 'note', code: 'value_refused', to: 'a' }],
      },
    })
  })

  test('undoing a merge reports the value as a loss, and undoes the rest', async () => {
    const { org, empty, require } = await setUp()
    const { body: loser } = await make(org, { note: 'a' })
    const sides = { winnerId: empty.id, loserIds: [loser.id] }
    const { body } = await org.post<{ mergeId: string }>(`${RECORDS}/merge`, sides)
    await require()
    expect(await org.post(`/objects/projects/merges/${body.mergeId}/undo`)).toMatchObject({
      status: 200,
      body: {
        restoredIds: [loser.id],
        losses: [{ code: 'value_refused', recordId: empty.id, attributeSlug: 'note' }],
      },
    })
  })

  test('a record without a value can be restored from the trash', async () => {
    const { org, empty, require } = await setUp()
    await org.delete(`${RECORDS}/${empty.id}`)
    await require()
    const restored = await org.post(`/objects/projects/trashed-records/${empty.id}/restore`)
    expect(restored).toMatchObject({ status: 200, body: { record: { data: {} }, losses: [] } })
  })

  test('an option cannot be cleared', async () => {
    const { org, require } = await setUp({ type: 'select', config: { options: ['a', 'b'] } })
    await make(org, { note: 'b' })
    await require()
    const cleared = { options: [{ value: 'a' }], clear: ['b'] }
    const refused = await org.patch('/objects/projects/select-attributes/note', cleared)
    expectError(refused, 'validation_error')
    expect(problems(refused)).toEqual(['clear: required'])
  })
})
