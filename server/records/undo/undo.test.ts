// Undoing one change restores values that did not change since. A value that changed since is kept and listed as a
// conflict.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { History } from '../../../contract/history.ts'
import type { CrmRecord } from '../../../contract/records.ts'
import type { UndoBody, UndoneChange } from '../../../contract/undo.ts'
import { newIdAt } from '../../base/id.ts'
import { bodyOf, createRecord, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

/** @returns the version of the record after the change */
async function change(
  org: Org,
  object: string,
  { id }: Pick<CrmRecord, 'id'>,
  data: object,
): Promise<number> {
  return bodyOf(await org.patch<CrmRecord>(`/objects/${object}/records/${id}`, { data })).version
}

const read = async (org: Org, object: string, { id }: Pick<CrmRecord, 'id'>) =>
  (await org.get<CrmRecord>(`/objects/${object}/records/${id}`)).body

const undo = (org: Org, object: string, { id }: Pick<CrmRecord, 'id'>, body: UndoBody, query = '') =>
  org.post<UndoneChange>(`/objects/${object}/records/${id}/undo${query}`, body)

const ada = (org: Org) =>
  createRecord(org, 'people', { name: 'Ada', email: 'ada@example.com', job_title: 'Analyst' })

describe('POST /objects/:objectId/records/:recordId/undo', () => {
  test('restores earlier values, clears values that were set, and does not change other values', async () => {
    const org = await service.org()
    const person = await ada(org)
    const version = await change(org, 'people', person, {
      job_title: 'Countess',
      email: null,
      phone: '+1 555 867 5309',
    })
    await change(org, 'people', person, { name: 'Ada Lovelace' })
    const body = bodyOf(await undo(org, 'people', person, { version }))
    expect(body.conflicts).toEqual([])
    expect(body.changes).toEqual({
      job_title: { from: 'Countess', to: 'Analyst' },
      email: { from: null, to: 'ada@example.com' },
      phone: { from: '+1 555 867 5309', to: null },
    })
    const data = { ...person.data, name: { firstName: 'Ada', lastName: 'Lovelace' } }
    expect(body.record).toMatchObject({ id: person.id, data, version: 4 })
    expect(await read(org, 'people', person)).toEqual(body.record)
    const taken = await org.post('/objects/people/records', {
      data: { name: 'Eve', email: 'ADA@example.com' },
    })
    expectError(taken, 'unique_violation')
  })

  test('is a separate change: it has an event, is in the history, and can be undone', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const person = await ada(org)
    const version = await change(org, 'people', person, { job_title: 'Countess' })
    const undone = await undo(org, 'people', person, { version })
    expect((await org.events()).at(-1)).toMatchObject({
      type: 'record.updated',
      subject: person.id,
      changes: { job_title: { from: 'Countess', to: 'Analyst' } },
    })
    const path = `/objects/people/records/${person.id}/history`
    const [restored, changed] = (await mia.get<History>(path)).body.entries
    expect(restored).toMatchObject({
      type: 'record.updated',
      restores: { entryId: changed?.id, at: changed?.at },
    })
    expect(changed?.restores).toBeNull()
    const again = await undo(org, 'people', person, { version: undone.body.record.version })
    expect(again.body.record.data).toMatchObject({ job_title: 'Countess' })
  })

  test('lists later changes with all three values, and overwrites only the requested attributes', async () => {
    const org = await service.org()
    const person = await ada(org)
    const version = await change(org, 'people', person, { job_title: 'Countess', phone: '+1 555 867 5309' })
    await change(org, 'people', person, { job_title: 'Author', phone: '+1 555 867 5310' })
    const first = await undo(org, 'people', person, { version })
    const jobTitle = {
      attributeSlug: 'job_title',
      code: 'value_changed',
      from: 'Analyst',
      to: 'Countess',
      current: 'Author',
      otherRecordId: null,
      message: 'job_title: the value was changed since.',
    }
    expect(first.body.conflicts.toSorted((a, b) => (a.attributeSlug < b.attributeSlug ? -1 : 1))).toEqual([
      jobTitle,
      expect.objectContaining({ attributeSlug: 'phone', from: null, current: '+1 555 867 5310' }),
    ])
    expect(first.body).toMatchObject({ changes: {}, record: { version: 3, data: { job_title: 'Author' } } })
    const { body } = await undo(org, 'people', person, { version, overwrite: ['job_title'] })
    expect(body.changes).toEqual({ job_title: { from: 'Author', to: 'Analyst' } })
    expect(body.conflicts).toMatchObject([{ attributeSlug: 'phone' }])
    expect(await read(org, 'people', person)).toMatchObject({
      data: { job_title: 'Analyst', phone: '+1 555 867 5310' },
    })
  })

  test('a dry run has the same response and changes nothing', async () => {
    const org = await service.org()
    const person = await ada(org)
    const version = await change(org, 'people', person, { job_title: 'Countess' })
    const before = await read(org, 'people', person)
    const events = (await org.events()).length
    const dry = await undo(org, 'people', person, { version }, '?dryRun=true')
    expect(dry.body).toMatchObject({ changes: { job_title: { to: 'Analyst' } }, conflicts: [] })
    expect(await read(org, 'people', person)).toEqual(before)
    expect((await org.events()).length).toBe(events)
  })

  test('a value that already equals its earlier value is neither changed nor a conflict', async () => {
    const org = await service.org()
    const person = await ada(org)
    const version = await change(org, 'people', person, { job_title: 'Countess' })
    await change(org, 'people', person, { job_title: 'Analyst' })
    const { body } = await undo(org, 'people', person, { version })
    expect(body).toMatchObject({ changes: {}, conflicts: [], record: { version: 3 } })
  })

  test('references return in both directions, and a reference to a deleted record is a conflict', async () => {
    const org = await service.org()
    const [acme, corp] = [
      await createRecord(org, 'companies', { name: 'Acme' }),
      await createRecord(org, 'companies', { name: 'Corp' }),
    ]
    const person = await createRecord(org, 'people', { name: 'Ada', company: acme.id })
    const referring = async (id: string) =>
      (await org.get<{ records: CrmRecord[] }>(`/objects/people/records?filter[company][equals]=${id}`)).body
        .records.length
    const version = await change(org, 'people', person, { company: corp.id })
    const { body } = await undo(org, 'people', person, { version })
    expect(body.record.data).toMatchObject({ company: acme.id })
    expect([await referring(acme.id), await referring(corp.id)]).toEqual([1, 0])
    await change(org, 'people', person, { company: corp.id })
    expect((await org.delete(`/objects/companies/records/${acme.id}`)).status).toBe(200)
    const lost = await undo(org, 'people', person, { version: version + 2 })
    expect(lost.body).toMatchObject({
      changes: {},
      conflicts: [
        { attributeSlug: 'company', code: 'record_deleted', otherRecordId: acme.id, current: corp.id },
      ],
      record: { data: { company: corp.id } },
    })
  })

  test('a taken unique value, a deleted attribute and an invalid value are conflicts', async () => {
    const org = await service.org()
    const config = { options: ['Low', 'High'] }
    const { body: level } = await org.post('/objects/people/attributes', {
      name: 'Level',
      type: 'select',
      config,
    })
    await org.post('/objects/people/attributes', { name: 'Nick', type: 'text' })
    const person = await createRecord(org, 'people', {
      name: 'Ada',
      email: 'ada@example.com',
      level: 'Low',
      nick: 'A',
    })
    const version = await change(org, 'people', person, { email: null, level: 'High', nick: 'B' })
    const other = await createRecord(org, 'people', { name: 'Eve', email: 'ada@example.com' })
    const attributes = `/objects/people/attributes`
    const options = await org.patch(`/objects/people/select-attributes/${level['id']}`, {
      options: [{ value: 'High' }],
    })
    expect(options.status).toBe(200)
    const list = (await org.get<{ attributes: { id: string; slug: string }[] }>(attributes)).body.attributes
    const nick = list.find(({ slug }) => slug === 'nick')?.id
    expect((await org.delete(`${attributes}/${nick}`)).status).toBe(200)
    const { body } = await undo(org, 'people', person, { version, overwrite: ['email', 'level', 'nick'] })
    expect(
      Object.fromEntries(body.conflicts.map(({ attributeSlug, code }) => [attributeSlug, code])),
    ).toEqual({
      email: 'unique_violation',
      level: 'value_refused',
      nick: 'attribute_inactive',
    })
    expect(body.conflicts.find(({ code }) => code === 'unique_violation')?.otherRecordId).toBe(other.id)
    expect(body.changes).toEqual({})
  })

  test('numbers keep every digit', async () => {
    const org = await service.org()
    await org.post('/objects/people/attributes', { name: 'Exact', type: 'number' })
    const person = await ada(org)
    const path = `/objects/people/records/${person.id}`
    const long = '123456789012345678.123'
    await org.patch(path, `{"data":{"exact":${long}}}`)
    const version = await change(org, 'people', person, { exact: 1 })
    const response = await service.inject({
      method: 'POST',
      url: `/api/v1${path}/undo`,
      headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ version }),
    })
    expect(response.payload.split(long)).toHaveLength(3)
  })

  test('refuses to undo a change that is older than 24 hours', async () => {
    const org = await service.org()
    const person = await ada(org)
    const version = await change(org, 'people', person, { job_title: 'Countess' })
    const old = newIdAt(new Date(Date.now() - 25 * 3_600_000))
    await service.ctx.db.run(sql`
      update events set id = ${old} where org = ${org.org} and subject = ${person.id} and version = ${version}`)
    expectError(await undo(org, 'people', person, { version }), 'undo_expired')
  })

  test('refuses a version without a change, an attribute that it did not change, and an invalid body', async () => {
    const org = await service.org()
    const person = await ada(org)
    const version = await change(org, 'people', person, { job_title: 'Countess' })
    const refused = await undo(org, 'people', person, { version, overwrite: ['job_title', 'phone'] })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({
      details: { errors: [{ path: 'overwrite.1', code: 'not_allowed' }] },
    })
    for (const body of [{}, { version: 1 }, { version: '2' }, { version, all: true }])
      expectError(await org.post(`/objects/people/records/${person.id}/undo`, body), 'validation_error')
    expectError(await undo(org, 'people', person, { version: 9 }), 'not_found')
    expectError(await undo(org, 'people', { id: NO_SUCH }, { version }), 'not_found')
    await org.delete(`/objects/people/records/${person.id}`)
    expectError(await undo(org, 'people', person, { version }), 'not_found')
    await org.post(`/objects/people/trash/${person.id}/restore`)
    const restored = await undo(org, 'people', person, {
      version: (await read(org, 'people', person)).version,
    })
    expect(restored.body).toMatchObject({ details: { errors: [{ path: 'version', code: 'no_change' }] } })
  })
})
