import { describe, expect, test } from 'vitest'
import { createRecord, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const service = await sharedTestService()

interface Made {
  id: string
}

async function setUp() {
  const org = await service.org()
  const olivia = await org.member('owner')
  await olivia.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  const { body: code } = await olivia.post<Made>('/objects/projects/attributes', {
    name: 'Code',
    type: 'text',
  })
  return { org, olivia, codeId: code.id }
}

describe('GET /objects/:objectId/deletion', () => {
  test('counts the data that is deleted, and lists what prevents the deletion', async () => {
    const { olivia } = await setUp()
    const mia = await createRecord(olivia, 'projects', { code: 'a' })
    await createRecord(olivia, 'projects', {})
    const linkedRecords = [{ objectId: mia.objectId, recordId: mia.id }]
    await olivia.post('/activities', { title: 'Call', linkedRecords })
    await olivia.post('/objects/projects/views', { name: 'All', state: { version: 1, columns: [] } })
    const config = { allowed_object_id: mia.objectId }
    const reference = { name: 'Project', type: 'reference', config }
    const { body: attribute } = await olivia.post<Made>('/objects/deals/attributes', reference)
    const { body: deals } = await olivia.get<Made>('/objects/deals')
    expect(await olivia.get('/objects/projects/deletion')).toMatchObject({
      status: 200,
      body: {
        records: 2,
        attributes: 1,
        views: 1,
        activities: 1,
        referencedBy: [
          { objectId: deals.id, objectSlug: 'deals', attributeId: attribute.id, attributeSlug: 'project' },
        ],
      },
    })
    expectError(await olivia.get('/objects/nothing/deletion'), 'not_found')
    const { olivia: other } = await setUp()
    expectError(await other.get(`/objects/${mia.objectId}/deletion`), 'not_found')
  })
})

describe('GET /objects/:objectId/attributes/:attributeId/deletion', () => {
  const leaf = { attributeSlug: 'code', operator: 'equals', value: 'x' }

  test.each([
    ['shows', { columns: [{ slug: 'code' }] }, 1],
    ['filters by', { columns: [], filter: { and: [{ or: [leaf] }] } }, 1],
    ['sorts by', { columns: [], sort: { field: 'code', order: 'asc' } }, 1],
    [
      'sorts what is equal by another attribute by',
      {
        columns: [],
        sort: { field: 'updated_at', order: 'asc' },
        thenBy: [{ field: 'code', order: 'asc' }],
      },
      1,
    ],
    [
      'only mentions',
      { columns: [], search: 'code', filter: { ...leaf, attributeSlug: 'kind', value: 'code' } },
      0,
    ],
  ])('counts a view that %s the attribute', async (_, state, views) => {
    const { olivia, codeId } = await setUp()
    await olivia.post('/objects/projects/attributes', { name: 'Kind', type: 'text' })
    for (const data of [{ code: 'a' }, { code: 'b' }, {}]) await createRecord(olivia, 'projects', data)
    const view = await olivia.post('/objects/projects/views', { name: 'V', state: { version: 1, ...state } })
    expect(view.status).toBe(201)
    const { status, body } = await olivia.get(`/objects/projects/attributes/${codeId}/deletion`)
    expect({ status, body }).toEqual({ status: 200, body: { values: 2, views } })
  })

  test('counts a view that filters by a part of the attribute', async () => {
    const { olivia } = await setUp()
    const path = '/objects/projects/attributes'
    const site = await olivia.post<{ id: string }>(path, { name: 'Site', type: 'address' })
    await olivia.post(path, { name: 'Sites', type: 'text' })
    const filter = { attributeSlug: 'site.city', operator: 'equals', value: 'London' }
    await olivia.post('/objects/projects/views', { name: 'V', state: { version: 1, columns: [], filter } })
    const other = { attributeSlug: 'sites', operator: 'equals', value: 'London' }
    await olivia.post('/objects/projects/views', {
      name: 'W',
      state: { version: 1, columns: [], filter: other },
    })
    expect((await olivia.get(`${path}/${site.body.id}/deletion`)).body).toEqual({ values: 0, views: 1 })
  })

  test('returns not_found for an attribute of another organization', async () => {
    const [{ olivia }, { codeId }] = [await setUp(), await setUp()]
    for (const id of [codeId, NO_SUCH, 'x'])
      expectError(await olivia.get(`/objects/projects/attributes/${id}/deletion`), 'not_found')
  })
})

describe('POST /objects/:objectId/records/deletion', () => {
  test('counts the records, references of other records and activities, by ids or by filter', async () => {
    const mia = await (await service.org()).member('member')
    const [acme, beta] = [
      await createRecord(mia, 'companies', { name: 'Acme' }),
      await createRecord(mia, 'companies', { name: 'Beta' }),
    ]
    const ada = await createRecord(mia, 'people', { name: 'Ada', company: acme.id })
    await createRecord(mia, 'deals', { name: 'One', company: acme.id, contact: ada.id })
    const link = { objectId: acme.objectId, recordId: acme.id }
    await mia.post('/activities', { title: 'Call', linkedRecords: [link] })
    await mia.post('/activities', { title: 'Call', participants: [{ type: 'person', id: ada.id }] })
    const ask = async (object: string, body: object) =>
      (await mia.post(`/objects/${object}/records/deletion`, body)).body
    const both = { records: 2, references: 2, activities: 1 }
    expect(await ask('companies', { ids: [acme.id, beta.id.toUpperCase(), NO_SUCH] })).toEqual(both)
    const filter = { attributeSlug: 'name', operator: 'isNotEmpty', value: 'true' }
    expect(await ask('companies', { filter })).toEqual(both)
    expect(await ask('people', { ids: [ada.id] })).toEqual({ records: 1, references: 1, activities: 1 })
    expect(await ask('people', { ids: [acme.id] })).toEqual({ records: 0, references: 0, activities: 0 })
    const path = '/objects/companies/records/deletion'
    for (const body of [{}, { ids: [] }, { ids: ['x'] }, { ids: [acme.id], filter }])
      expectError(await mia.post(path, body), 'validation_error')
    expectError(await mia.post(path, { filter: { or: [] } }), 'invalid_filter')
    const zoe = await (await service.org()).member('member')
    expect((await zoe.post(path, { ids: [acme.id] })).body).toMatchObject({ records: 0, references: 0 })
    expectError(await zoe.post(`/objects/${acme.objectId}/records/deletion`, { ids: [acme.id] }), 'not_found')
  })
})
