import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, createRecord, expectError, type Org } from '../../test/factories.ts'

const service = await buildTestService()
const { db } = service.ctx
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const drop = (org: Org, object: string, id: string, query = '') =>
  org.delete(`/objects/${object}/records/${id}${query}`)
const restore = (org: Org, object: string, id: string, query = '') =>
  org.post<{ record: CrmRecord; losses: object[] }>(`/objects/${object}/trash/${id}/restore${query}`)
const trashOf = async (org: Org, object: string, query = '') =>
  (
    await org.get<{ records: CrmRecord[]; pagination: { total?: number; nextCursor?: string } }>(
      `/objects/${object}/trash${query}`,
    )
  ).body
const dataOf = async (org: Org, object: string, { id }: CrmRecord) =>
  (await org.get<CrmRecord>(`/objects/${object}/records/${id}`)).body.data

const waitForLock = () =>
  expect
    .poll(() =>
      db.many(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    )
    .not.toEqual([])

describe('GET /objects/:objectId/trash', () => {
  test('lists deleted records, the last deleted first, in pages', async () => {
    const org = await service.org()
    const made = []
    for (const name of ['A', 'B', 'C']) made.push(await createRecord(org, 'companies', { name }))
    for (const { id } of made) await drop(org, 'companies', id)
    const all = await trashOf(org, 'companies')
    expect(all).toMatchObject({ pagination: { total: 3 } })
    expect(all.records.map(({ data }) => data['name'])).toEqual(['C', 'B', 'A'])
    const [first] = all.records
    expect(first).toEqual({
      id: made[2]?.id,
      objectId: made[2]?.objectId,
      data: { name: 'C' },
      createdAt: made[2]?.createdAt,
      version: 2,
      deletedAt: expect.any(String),
      deletedBy: { id: org.userId, name: expect.any(String), email: expect.any(String) },
      purgeAt: expect.any(String),
    })
    const page = await trashOf(org, 'companies', '?limit=2&count=false')
    expect(page.pagination).toEqual({ limit: 2, offset: 0, nextCursor: expect.any(String) })
    const rest = await trashOf(org, 'companies', `?limit=2&cursor=${page.pagination.nextCursor}`)
    expect([...page.records, ...rest.records]).toEqual(all.records)
    expect(rest.pagination.nextCursor).toBeUndefined()
    expectError(await org.get('/objects/companies/trash?cursor=x'), 'invalid_parameter')
    expectError(
      await org.get(`/objects/people/trash?cursor=${page.pagination.nextCursor}`),
      'invalid_parameter',
    )
    expectError(await org.get('/objects/nothing/trash'), 'not_found')
    expect((await trashOf(await service.org(), 'companies')).records).toEqual([])
  })

  test('does not contain permanently deleted records', async () => {
    const org = await service.org()
    const [acme, beta] = [
      await createRecord(org, 'companies', { name: 'Acme' }),
      await createRecord(org, 'companies', { name: 'Beta' }),
    ]
    expect((await drop(org, 'companies', acme.id, '?permanent=true')).status).toBe(200)
    const bulk = await org.delete('/objects/companies/records/bulk?permanent=true', { ids: [beta.id] })
    expect(bulk.body).toEqual({ deleted: 1 })
    expect(await trashOf(org, 'companies')).toMatchObject({ records: [], pagination: { total: 0 } })
    expectError(await restore(org, 'companies', acme.id), 'not_found')
  })
})

describe('POST /objects/:objectId/trash/:recordId/restore', () => {
  test('restores values, references in both directions and activities, with one change each', async () => {
    const org = await service.org()
    await org.post('/objects/companies/attributes', {
      name: 'Advisors',
      type: 'reference',
      isList: true,
      config: { allowed_object_id: (await org.get<{ id: string }>('/objects/people')).body.id },
    })
    const acme = await createRecord(org, 'companies', { name: 'Acme' })
    const people = []
    for (const name of ['Ada', 'Bob', 'Cy'])
      people.push(await createRecord(org, 'people', { name, email: `${name}@x.example`, company: acme.id }))
    const [ada, bob, cy] = people as [CrmRecord, CrmRecord, CrmRecord]
    const beta = await createRecord(org, 'companies', { name: 'Beta', advisors: people.map(({ id }) => id) })
    const deal = await createRecord(org, 'deals', { name: 'One', contact: bob.id })
    const link = { objectId: bob.objectId, recordId: bob.id }
    const other = { objectId: acme.objectId, recordId: acme.id }
    const person = { type: 'person', id: bob.id }
    const { body: call } = await org.post<{ id: string }>('/activities', {
      title: 'Call',
      linkedRecords: [link, other],
      participants: [person],
    })
    const before = (await org.get<CrmRecord>(`/objects/people/records/${bob.id}`)).body
    await drop(org, 'people', bob.id)
    expect(await dataOf(org, 'companies', beta)).toMatchObject({ advisors: [ada.id, cy.id] })
    const body = bodyOf(await restore(org, 'people', bob.id))
    expect(body).toEqual({
      record: { ...before, version: 3, updatedAt: expect.any(String) },
      losses: [],
      lossCount: 0,
    })
    expect((await org.get(`/objects/people/records/${bob.id}`)).body).toEqual(body.record)
    expect(await dataOf(org, 'companies', beta)).toMatchObject({ advisors: [ada.id, bob.id, cy.id] })
    expect(await dataOf(org, 'deals', deal)).toMatchObject({ contact: bob.id })
    expect((await org.get(`/activities/${call.id}`)).body).toMatchObject({
      version: 3,
      linkedRecords: [link, other],
      participants: [person],
    })
    expect((await trashOf(org, 'people')).records).toEqual([])
    const left = await db.many(sql`select id from trash_links where org = ${org.org}`)
    expect(left).toEqual([])
    const types = (await org.events()).map(({ type }) => type)
    expect(types.slice(-4).toSorted()).toEqual([
      'activity.updated',
      'record.created',
      'record.updated',
      'record.updated',
    ])
    expectError(await restore(org, 'people', bob.id), 'not_found')
  })

  test.each([
    ['the company first', [0, 1], [0, 1]],
    ['the person first', [0, 1], [1, 0]],
    ['what was deleted last first', [1, 0], [0, 1]],
    ['what was deleted first first', [1, 0], [1, 0]],
  ])('restores a reference between two deleted records: %s', async (_, deleted, restored) => {
    const org = await service.org()
    const acme = await createRecord(org, 'companies', { name: 'Acme' })
    const ada = await createRecord(org, 'people', { name: 'Ada', company: acme.id })
    const both = [
      ['companies', acme.id],
      ['people', ada.id],
    ] as const
    const inOrder = (places: number[]) => places.flatMap((place) => [both[place] ?? both[0]])
    for (const [object, id] of inOrder(deleted)) await drop(org, object, id)
    for (const [object, id] of inOrder(restored)) expect((await restore(org, object, id)).status).toBe(200)
    expect(await dataOf(org, 'people', ada)).toEqual(ada.data)
  })

  test('lists what cannot be restored, also in a dry run', async () => {
    const org = await service.org()
    const options = { options: ['Old', 'New'] }
    await org.post('/objects/people/attributes', { name: 'Kind', type: 'select', config: options })
    const { body: note } = await org.post<{ id: string }>('/objects/people/attributes', {
      name: 'Note',
      type: 'text',
    })
    const [acme, beta] = [
      await createRecord(org, 'companies', { name: 'Acme' }),
      await createRecord(org, 'companies', { name: 'Beta' }),
    ]
    const data = { name: 'Ada', email: 'ada@x.example', company: acme.id, kind: 'Old', note: 'lost' }
    const ada = await createRecord(org, 'people', data)
    const deal = await createRecord(org, 'deals', { name: 'One', contact: ada.id })
    await drop(org, 'people', ada.id)
    const bob = await createRecord(org, 'people', { name: 'Bob', email: 'ada@x.example', company: beta.id })
    await org.patch(`/objects/deals/records/${deal.id}`, { data: { contact: bob.id } })
    await drop(org, 'companies', acme.id, '?permanent=true')
    await org.delete(`/objects/people/attributes/${note.id}`)
    await org.post('/objects/people/attributes', { name: 'Note', type: 'text' })
    await db.run(sql`
      update attributes set config = '{"options":["New"]}' where org = ${org.org} and slug = 'kind'`)
    const losses = [
      { code: 'attribute_deleted', attributeSlug: 'note', otherRecordId: null },
      { code: 'record_deleted', attributeSlug: 'company', otherRecordId: acme.id },
      { code: 'reference_changed', attributeSlug: 'contact', otherRecordId: deal.id },
      { code: 'unique_violation', attributeSlug: 'email', otherRecordId: bob.id },
      { code: 'unknown_option', attributeSlug: 'kind', otherRecordId: null },
    ].map((loss) => ({ ...loss, recordId: ada.id, activityId: null, message: expect.any(String) }))
    const byCode = (list: object[]) =>
      (list as { code: string }[]).toSorted((a, b) => (a.code < b.code ? -1 : 1))
    const count = (await org.events()).length
    const preview = await restore(org, 'people', ada.id, '?dryRun=true')
    expect(byCode(preview.body.losses)).toEqual(losses)
    expect(preview.body.record.data).toEqual({ name: ada.data['name'] })
    expect(await org.events()).toHaveLength(count)
    expect((await trashOf(org, 'people')).records).toHaveLength(1)
    const { body } = await restore(org, 'people', ada.id)
    expect(byCode(body.losses)).toEqual(losses)
    expect(await dataOf(org, 'people', ada)).toEqual({ name: ada.data['name'] })
    expect(await dataOf(org, 'deals', deal)).toMatchObject({ contact: bob.id })
  })

  test('refuses a record that is not in the trash or belongs to another object, and an inactive object', async () => {
    const org = await service.org()
    const { body: object } = await org.post<{ id: string }>('/objects', {
      pluralName: 'Things',
      singularName: 'Thing',
    })
    await org.post('/objects/things/attributes', { name: 'Name', type: 'text' })
    const thing = await createRecord(org, 'things', { name: 'One' })
    expectError(await restore(org, 'things', thing.id), 'not_found')
    await drop(org, 'things', thing.id)
    expectError(await restore(org, 'people', thing.id), 'not_found')
    await db.run(sql`
      update objects set is_active = false, version = nextval('object_versions') where org = ${org.org} and id = ${object.id}`)
    expectError(await restore(org, 'things', thing.id), 'object_inactive')
    expectError(await org.delete(`/objects/things/trash/${thing.id}`), 'object_inactive')
  })
})

describe('a restoration of a record whose referenced record is being purged', () => {
  test('waits, and reports the reference as lost', async () => {
    const org = await service.org()
    const acme = await createRecord(org, 'companies', { name: 'Acme' })
    const ada = await createRecord(org, 'people', { name: 'Ada', company: acme.id })
    await drop(org, 'people', ada.id)
    await drop(org, 'companies', acme.id)
    const { promise: restored } = await db.transaction(async (tx) => {
      await tx.run(sql`delete from trash where org = ${org.org} and id = ${acme.id}`)
      const promise = restore(org, 'people', ada.id)
      await Promise.race([promise, waitForLock()])
      return { promise }
    })
    expect((await restored).body.losses).toMatchObject([
      { code: 'record_deleted', otherRecordId: acme.id, attributeSlug: 'company' },
    ])
    expect(await db.many(sql`select id from trash_links where org = ${org.org}`)).toEqual([])
  })
})

describe('the trash in bulk', () => {
  test('restores and deletes the records among the ids that are in the trash', async () => {
    const org = await service.org()
    const ids = []
    for (const name of ['A', 'B', 'C']) ids.push((await createRecord(org, 'companies', { name })).id)
    expect((await org.delete('/objects/companies/records/bulk', { ids })).body).toEqual({ deleted: 3 })
    const [first, second, third] = ids
    const path = '/objects/companies/trash'
    expect((await org.delete(`${path}/bulk`, { ids: [third, NO_SUCH] })).body).toEqual({ deleted: 1 })
    expect((await org.delete(`${path}/${second}`)).body).toEqual({ id: second, deleted: true })
    expectError(await org.delete(`${path}/${second}`), 'not_found')
    const restored = await org.post(`${path}/bulk/restore`, { ids: [...ids, 'x'] })
    expect(restored.body).toEqual({ restored: 1, losses: [], lossCount: 0 })
    expect((await org.get(`/objects/companies/records/${first}`)).status).toBe(200)
    expectError(await org.post(`${path}/bulk/restore`, { ids: [] }), 'validation_error')
  })

  test('gives a unique value that several records had to one of them', async () => {
    const org = await service.org()
    const email = 'ada@x.example'
    const ids: string[] = []
    for (const name of ['Ada', 'Bob']) {
      const { id } = await createRecord(org, 'people', { name, email })
      await drop(org, 'people', id)
      ids.push(id)
    }
    const [winner, loser] = ids
    const loss = { recordId: loser, code: 'unique_violation', attributeSlug: 'email', otherRecordId: winner }
    const path = '/objects/people/trash/bulk/restore'
    for (const query of ['?dryRun=true', '']) {
      const { body } = await org.post(`${path}${query}`, { ids })
      const losses = [{ ...loss, activityId: null, message: expect.any(String) }]
      expect(body).toEqual({ restored: 2, losses, lossCount: 1 })
    }
    const shown = []
    for (const id of ids) shown.push((await org.get<CrmRecord>(`/objects/people/records/${id}`)).body.data)
    expect(shown).toEqual([{ name: { firstName: 'Ada' }, email }, { name: { firstName: 'Bob' } }])
    expect(await db.many(sql`select id from uniques where org = ${org.org} and value = ${email}`)).toEqual([
      { id: winner },
    ])
  })
})
