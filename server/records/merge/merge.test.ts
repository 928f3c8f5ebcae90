import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { CrmRecord } from '../../../contract/records.ts'
import { newId } from '../../base/id.ts'
import { makeToken } from '../../base/token.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createRecord, expectError, type Org } from '../../test/factories.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../engine/maintenance/finish.ts'
import type { ObjectKey } from '../engine/maintenance/work-store.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const merge = (org: Org, object: string, body: object, query = '') =>
  org.post<{ record: CrmRecord; mergedIds: string[]; moved: object }>(
    `/objects/${object}/records/merge${query}`,
    body,
  )
const read = async (org: Org, object: string, { id }: Pick<CrmRecord, 'id'>) =>
  (await org.get<CrmRecord>(`/objects/${object}/records/${id}`)).body

async function addAttribute(org: Org, object: string, attribute: object): Promise<void> {
  expect((await org.post(`/objects/${object}/attributes`, attribute)).status).toBe(201)
}

const object = async (org: Org, slug: string) =>
  db.one<ObjectKey>(sql`select org, obj from objects where org = ${org.org} and slug = ${slug}`)

async function addFile(org: Org, recordId: string, fileId = newId()): Promise<string> {
  const { obj } = await object(org, 'companies')
  await db.run(sql`
    insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
    values (${org.org}, ${fileId}, 'b', ${fileId}, ${fileId}, ${makeToken()}, 'stored', 1, 'image/png', now(), now())
    on conflict do nothing`)
  await db.run(sql`
    insert into attachments (org, id, obj, record_id, file_id, name)
    values (${org.org}, ${newId()}, ${obj}, ${recordId}, ${fileId}, 'a')`)
  return fileId
}

describe('POST /objects/:objectId/records/merge', () => {
  test('keeps the values of the winner, and takes missing values from the first loser that has one', async () => {
    const org = await service.org()
    await addAttribute(org, 'people', { name: 'Exact', type: 'number' })
    const winner = await createRecord(org, 'people', { name: 'Ada', job_title: 'Countess' })
    const first = await createRecord(org, 'people', { name: 'A. L.', email: 'ada@example.com' })
    const second = await createRecord(org, 'people', {
      name: 'Ada L.',
      email: 'other@example.com',
      phone: '+1 555 867 5309',
    })
    const { status, body } = await merge(org, 'people', {
      winnerId: winner.id,
      loserIds: [first.id, second.id],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      mergedIds: [first.id, second.id],
      record: { id: winner.id, version: 3, data: { job_title: 'Countess', email: 'ada@example.com' } },
      moved: { records: 0, activities: 0, files: 0 },
    })
    expect(body.record.data).toMatchObject({ name: winner.data['name'], phone: second.data['phone'] })
    expect(await read(org, 'people', winner)).toEqual(body.record)
    const events = (await org.events()).slice(-4)
    const types = ['record.deleted', 'record.deleted', 'record.updated', 'record.updated']
    expect(events.map(({ type }) => type)).toEqual(types)
  })

  test('takes the chosen values: of one record, united, or new', async () => {
    const org = await service.org()
    await addAttribute(org, 'people', { name: 'Labels', type: 'text', isList: true })
    const winner = await createRecord(org, 'people', {
      name: 'Ada',
      job_title: 'Countess',
      labels: ['a', 'b'],
    })
    const loser = await createRecord(org, 'people', { name: 'Ada Lovelace', labels: ['b', 'c'] })
    const { body } = await merge(org, 'people', {
      winnerId: winner.id,
      loserIds: [loser.id.toUpperCase()],
      sources: { name: loser.id, job_title: loser.id },
      united: ['labels'],
      data: { email: 'ada@example.com' },
    })
    expect(body.record.data).toEqual({
      name: loser.data['name'],
      labels: ['a', 'b', 'c'],
      email: 'ada@example.com',
    })
  })

  test('accepts references by value, and the error names an unknown value', async () => {
    const org = await service.org()
    const acme = await createRecord(org, 'companies', { name: 'Acme', domain: 'acme.example' })
    const [winner, loser] = [
      await createRecord(org, 'people', { name: 'Ada' }),
      await createRecord(org, 'people', { name: 'A' }),
    ]
    const by = (domain: string) => ({
      ...{ winnerId: winner.id, loserIds: [loser.id] },
      data: { company: { domain } },
    })
    const refused = await merge(org, 'people', by('globex.example'))
    expectError(refused, 'validation_error')
    const message = 'no record has "globex.example" as domain: create it first'
    expect(refused.body).toMatchObject({ details: { errors: [{ path: 'data.company.domain', message }] } })
    expect((await merge(org, 'people', by('acme.example'))).body.record.data['company']).toBe(acme.id)
    expect((await read(org, 'people', winner)).data['company']).toBe(acme.id)
  })

  test('moves references, activities and files, with one event for each change', async () => {
    const org = await service.org()
    const { id: companiesId } = (await org.get<{ id: string }>('/objects/companies')).body
    const config = { allowed_object_id: companiesId }
    await addAttribute(org, 'people', { name: 'Earlier', type: 'reference', isList: true, config })
    const [winner, one, two, other] = [
      await createRecord(org, 'companies', { name: 'Acme' }),
      await createRecord(org, 'companies', { name: 'Acme Inc' }),
      await createRecord(org, 'companies', { name: 'ACME' }),
      await createRecord(org, 'companies', { name: 'Other' }),
    ]
    const ada = await createRecord(org, 'people', { name: 'Ada', company: one.id })
    const bob = await createRecord(org, 'people', {
      name: 'Bob',
      earlier: [two.id, other.id, winner.id, one.id],
    })
    const linkedRecords = [two, other, one].map(({ id: recordId }) => ({ objectId: companiesId, recordId }))
    const call = (await org.post<{ id: string }>('/activities', { title: 'Call', linkedRecords })).body
    const shared = await addFile(org, winner.id)
    const own = await addFile(org, one.id)
    await addFile(org, two.id, own)
    await addFile(org, two.id, shared)
    for (const slug of ['companies', 'people']) await waitUntilIndexed(service.ctx, await object(org, slug))
    const count = (await org.events()).length
    const { body } = await merge(org, 'companies', { winnerId: winner.id, loserIds: [one.id, two.id] })
    expect(body.moved).toEqual({ records: 2, activities: 1, files: 2 })
    expect(await read(org, 'people', ada)).toMatchObject({ version: 2, data: { company: winner.id } })
    expect(await read(org, 'people', bob)).toMatchObject({
      version: 2,
      data: { earlier: [winner.id, other.id] },
    })
    expect((await org.get(`/activities/${call.id}`)).body).toMatchObject({
      linkedRecords: [winner, other].map(({ id: recordId }) => ({ objectId: companiesId, recordId })),
    })
    const files = await db.many<{ file: string }>(sql`
      select file_id as file from attachments where org = ${org.org} and record_id = ${winner.id} order by 1`)
    expect(files.map(({ file }) => file)).toEqual([shared, own].toSorted())
    const events = (await org.events()).slice(count)
    expect(events.map(({ type, subject }) => [type, subject]).toSorted()).toEqual(
      [
        ['activity.updated', call.id],
        ['record.deleted', one.id],
        ['record.deleted', two.id],
        ['record.updated', ada.id],
        ['record.updated', bob.id],
        ['record.updated', winner.id],
      ].toSorted(),
    )
    const filter = [{ attributeSlug: 'company', operator: 'equals', value: winner.id }]
    expect((await org.post('/objects/people/records/search', { filters: filter })).body).toMatchObject({
      pagination: { total: 1 },
    })
    for (const slug of ['companies', 'people']) expect(await audit(db, await object(org, slug))).toEqual([])
  })

  test('moves a unique reference once, and removes references between the merged records', async () => {
    const org = await service.org()
    const { id: companiesId } = (await org.get<{ id: string }>('/objects/companies')).body
    const config = { allowed_object_id: companiesId }
    await addAttribute(org, 'people', { name: 'Only', type: 'reference', isUnique: true, config })
    await addAttribute(org, 'companies', { name: 'Parent', type: 'reference', config })
    const winner = await createRecord(org, 'companies', { name: 'Acme' })
    const one = await createRecord(org, 'companies', { name: 'Acme Inc', parent: winner.id })
    const two = await createRecord(org, 'companies', { name: 'ACME', parent: one.id })
    await org.patch(`/objects/companies/records/${winner.id}`, { data: { parent: two.id } })
    const people = [
      await createRecord(org, 'people', { name: 'Ada', only: one.id }),
      await createRecord(org, 'people', { name: 'Bob', only: two.id }),
    ]
    const { body } = await merge(org, 'companies', { winnerId: winner.id, loserIds: [one.id, two.id] })
    expect(body.record.data).toEqual({ name: winner.data['name'] })
    const values = []
    for (const person of people) values.push((await read(org, 'people', person)).data['only'])
    expect(values).toEqual([winner.id, undefined])
    expectError(
      await org.post('/objects/people/records', { data: { name: 'Eve', only: winner.id } }),
      'unique_violation',
    )
  })

  test('the ids of losers respond with the winner, even after the winner is merged into another record', async () => {
    const org = await service.org()
    const [a, b, c] = [
      await createRecord(org, 'companies', { name: 'A' }),
      await createRecord(org, 'companies', { name: 'B' }),
      await createRecord(org, 'companies', { name: 'C' }),
    ]
    await merge(org, 'companies', { winnerId: b.id, loserIds: [a.id] })
    const winner = await read(org, 'companies', b)
    expect(await read(org, 'companies', a)).toEqual({ ...winner, mergedInto: b.id })
    await merge(org, 'companies', { winnerId: c.id, loserIds: [b.id] })
    for (const one of [a, b])
      expect(await read(org, 'companies', one)).toMatchObject({ id: c.id, mergedInto: c.id })
    expectError(await (await service.org()).get(`/objects/companies/records/${a.id}`), 'not_found')
    expect((await org.post(`/objects/companies/trash/${a.id}/restore`)).status).toBe(200)
    expect(await read(org, 'companies', a)).toMatchObject({ id: a.id, data: { name: 'A' } })
  })

  test('a dry run has the same response and changes nothing', async () => {
    const org = await service.org()
    const winner = await createRecord(org, 'companies', { name: 'A' })
    const loser = await createRecord(org, 'companies', { name: 'B', domain: 'acme.test' })
    const person = await createRecord(org, 'people', { name: 'Ada', company: loser.id })
    const count = (await org.events()).length
    const body = { winnerId: winner.id, loserIds: [loser.id] }
    const dry = await merge(org, 'companies', body, '?dryRun=true')
    expect(await read(org, 'companies', winner)).toEqual(winner)
    expect(await read(org, 'people', person)).toEqual(person)
    expect(await org.events()).toHaveLength(count)
    const { updatedAt: _, ...record } = (await merge(org, 'companies', body)).body.record as CrmRecord & {
      updatedAt: string
    }
    expect(dry.body).toMatchObject({ record, mergedIds: [loser.id], moved: { records: 1 } })
  })

  test('refuses invalid choices, missing records, and values that another record has', async () => {
    const org = await service.org()
    await createRecord(org, 'people', { name: 'Eve', email: 'eve@example.com' })
    const [a, b] = [
      await createRecord(org, 'people', { name: 'A' }),
      await createRecord(org, 'people', { name: 'B' }),
    ]
    const both = { winnerId: a.id, loserIds: [b.id] }
    const refused = async (body: object, code: ErrorCode = 'validation_error') =>
      expectError(await merge(org, 'people', body), code)
    await refused({ winnerId: a.id, loserIds: [] })
    await refused({ winnerId: a.id, loserIds: [a.id] })
    await refused({ winnerId: a.id, loserIds: [b.id, b.id] })
    await refused({ winnerId: a.id, loserIds: Array.from({ length: 20 }, newId) })
    await refused({ ...both, sources: { nothing: a.id } })
    await refused({ ...both, sources: { name: NO_SUCH } })
    await refused({ ...both, sources: { name: a.id }, data: { name: 'C' } })
    await refused({ ...both, united: ['name'] })
    await refused({ ...both, data: { email: 'no address' } })
    await refused({ winnerId: a.id, loserIds: [NO_SUCH] }, 'not_found')
    await refused({ winnerId: NO_SUCH, loserIds: [a.id] }, 'not_found')
    await refused({ ...both, data: { email: 'eve@example.com' } }, 'unique_violation')
    for (const one of [a, b]) expect(await read(org, 'people', one)).toEqual(one)
  })

  test('of concurrent merges of the same records one succeeds, and the others find no records', async () => {
    const org = await service.org()
    const [a, b] = [
      await createRecord(org, 'companies', { name: 'A' }),
      await createRecord(org, 'companies', { name: 'B' }),
    ]
    const replies = await Promise.all([
      merge(org, 'companies', { winnerId: a.id, loserIds: [b.id] }),
      merge(org, 'companies', { winnerId: b.id, loserIds: [a.id] }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })
})
