// The header that makes single requests part of a change set.
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import type { UndoneBatch } from '../../../contract/undo.ts'
import { newId } from '../../base/id.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'

const inSet = (changeSetId: string) => ({ 'rapport-change-set': changeSetId })

const undo = async (org: Org, set: string) =>
  (await org.post<UndoneBatch>(`/objects/people/change-sets/${set}/undo`)).body

const put = (org: Org, set: string, email: string, data: object) =>
  service.inject({
    method: 'PUT',
    url: `/api/v1${PEOPLE}/by/email/${email}`,
    headers: { ...inSet(set), authorization: `Bearer ${org.key}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ data }),
  })

describe('Rapport-Change-Set', () => {
  test('is refused if it is not a UUID, and is ignored by reads', async () => {
    const org = await service.org()
    const headers = inSet('mine')
    expectError(await org.post(PEOPLE, { data: { name: 'Ada' } }, headers), 'invalid_parameter')
    expect((await org.get(PEOPLE, headers)).status).toBe(200)
  })

  test('adds single requests, bulk writes and deletions to the set, which is undone batch by batch', async () => {
    const org = await service.org()
    const set = newId()
    const ada = (await org.post<CrmRecord>(PEOPLE, { data: { name: 'Ada', job_title: 'Analyst' } })).body
    await org.patch(`${PEOPLE}/${ada.id}`, { data: { job_title: 'Author' } }, inSet(set))
    await org.post(`${PEOPLE}/bulk`, { records: [{ data: { name: 'Bob' } }] }, inSet(set))
    await org.delete(`${PEOPLE}/bulk`, { ids: [ada.id] }, inSet(set))
    expect(await undo(org, set)).toMatchObject({ returned: 1, trashed: 0, restored: 0, batchesLeft: 2 })
    expect(await undo(org, set)).toMatchObject({ returned: 0, trashed: 1, restored: 0, batchesLeft: 1 })
    expect(await undo(org, set)).toMatchObject({ returned: 0, trashed: 0, restored: 1, batchesLeft: 0 })
    const { status, body } = await org.get<CrmRecord>(`${PEOPLE}/${ada.id}`)
    expect([status, body.data]).toEqual([200, ada.data])
  })

  test('with the id of the set that is undone adds nothing to that set', async () => {
    const org = await service.org()
    const set = newId()
    await org.post(PEOPLE, { data: { name: 'Ada' } }, inSet(set))
    const path = `/objects/people/change-sets/${set}/undo`
    const { body } = await org.post<UndoneBatch>(path, undefined, inSet(set.toUpperCase()))
    expect(body).toMatchObject({ trashed: 1, batchesLeft: 0 })
    expectError(await org.post(path, undefined, inSet(set)), 'not_found')
  })

  test('adds a restoration from the trash to the set, and its undo deletes the record again', async () => {
    const org = await service.org()
    const set = newId()
    const { id } = (await org.post<CrmRecord>(PEOPLE, { data: { name: 'Ada' } })).body
    await org.delete(`${PEOPLE}/${id}`)
    await org.post(`/objects/people/trashed-records/${id}/restore`, undefined, inSet(set))
    expect(await undo(org, set)).toMatchObject({ trashed: 1, batchesLeft: 0 })
    expectError(await org.get(`${PEOPLE}/${id}`), 'not_found')
  })

  test('lists the values that a restored record does not get back', async () => {
    const org = await service.org()
    const set = newId()
    const data = { name: 'Ada', email: 'ada@example.com' }
    const { id } = (await org.post<CrmRecord>(PEOPLE, { data })).body
    await org.delete(`${PEOPLE}/bulk`, { ids: [id] }, inSet(set))
    const other = (await org.post<CrmRecord>(PEOPLE, { data: { ...data, name: 'Other' } })).body.id
    const undone = await undo(org, set)
    expect(undone).toMatchObject({ returned: 1, conflicts: [] })
    expect(undone.losses).toMatchObject([
      { recordId: id, attributeSlug: 'email', code: 'unique_violation', otherRecordId: other },
    ])
  })

  test('adds upserts by a unique value to the set', async () => {
    const org = await service.org()
    const set = newId()
    expect((await put(org, set, 'ada@example.com', { name: 'Ada' })).statusCode).toBeLessThan(300)
    expect((await put(org, set, 'ada@example.com', { job_title: 'Author' })).statusCode).toBe(200)
    expect(await undo(org, set)).toMatchObject({ restored: 1, batchesLeft: 1 })
    expect(await undo(org, set)).toMatchObject({ trashed: 1, batchesLeft: 0 })
  })
})
