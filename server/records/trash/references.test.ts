// Restored elements of lists and references of other records and activities, and cases without room for them.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { ACTIVITY_LINKS_MAX, RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import type { CrmRecord } from '../../../contract/records.ts'
import { bodyOf, createRecord, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

interface Restored {
  losses: { code: string; recordId: string; otherRecordId: string | null; activityId: string | null }[]
  lossCount: number
}

async function manyOf(
  org: Org,
  object: string,
  count: number,
  data: (n: number) => object,
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < count; start += 100) {
    const records = Array.from({ length: Math.min(100, count - start) }, (_, n) => ({
      data: data(start + n),
    }))
    const { body } = await org.post<{ results: { id: string }[] }>(`/objects/${object}/records/bulk`, {
      records,
    })
    ids.push(...body.results.map(({ id }) => id))
  }
  return ids
}

const read = async (org: Org, path: string) => (await org.get<CrmRecord>(path)).body
const drop = async (org: Org, object: string, id: string) =>
  expect((await org.delete(`/objects/${object}/records/${id}`)).status).toBe(200)
const restore = async (org: Org, object: string, id: string): Promise<Restored> =>
  bodyOf(await org.post<Restored>(`/objects/${object}/trash/${id}/restore`))

async function addReference(org: Org, name: string, more: object = {}): Promise<void> {
  const { id } = await read(org, '/objects/people')
  const attribute = { name, type: 'reference', config: { allowed_object_id: id }, ...more }
  expect((await org.post('/objects/companies/attributes', attribute)).status).toBe(201)
}

async function peopleOf(org: Org): Promise<CrmRecord[]> {
  const people = []
  for (const name of ['Ada', 'Bob', 'Cy', 'Di', 'Eve'])
    people.push(await createRecord(org, 'people', { name }))
  return people
}

describe('the order of a list whose elements are deleted one by one', () => {
  test.each([
    ['as they were deleted', [1, 2, 3], [1, 2, 3]],
    ['the last one first', [1, 2, 3], [3, 2, 1]],
    ['in another order', [3, 0, 2, 1], [2, 0, 1, 3]],
  ])('is the same after the elements are restored %s', async (_, deleted, restored) => {
    const org = await service.org()
    await addReference(org, 'Advisors', { isList: true })
    const people = await peopleOf(org)
    const advisors = people.map(({ id }) => id)
    const acme = await createRecord(org, 'companies', { name: 'Acme', advisors })
    const { body: call } = await org.post<{ id: string }>('/activities', {
      title: 'Call',
      linkedRecords: people.map(({ id, objectId }) => ({ recordId: id, objectId })),
      participants: [{ type: 'user', id: org.userId }, ...advisors.map((id) => ({ type: 'person', id }))],
    })
    const {
      updatedAt: _updated,
      version: _version,
      ...before
    } = (await read(org, `/activities/${call.id}`)) as CrmRecord & Record<string, unknown>
    for (const place of deleted) await drop(org, 'people', advisors[place] ?? '')
    for (const place of restored)
      expect(await restore(org, 'people', advisors[place] ?? '')).toMatchObject({ losses: [], lossCount: 0 })
    expect((await read(org, `/objects/companies/records/${acme.id}`)).data).toMatchObject({ advisors })
    expect(await read(org, `/activities/${call.id}`)).toMatchObject(before)
  })

  test('follows later changes of the list', async () => {
    const org = await service.org()
    await addReference(org, 'Advisors', { isList: true })
    const people = await peopleOf(org)
    const [ada = '', bob = '', cy = '', di = '', eve = ''] = people.map(({ id }) => id)
    const acme = await createRecord(org, 'companies', { name: 'Acme', advisors: [ada, bob, cy] })
    const path = `/objects/companies/records/${acme.id}`
    await drop(org, 'people', bob)
    await org.patch(path, { data: { advisors: [ada, di, cy, eve] } })
    await drop(org, 'people', cy)
    await restore(org, 'people', bob)
    await restore(org, 'people', cy)
    expect((await read(org, path)).data).toMatchObject({ advisors: [ada, bob, di, cy, eve] })
  })
})

describe('a restored record to which many records referred', () => {
  test('is referenced again; the first thousand records with a new reference are listed as losses', async () => {
    const org = await service.org()
    const [acme, beta] = [
      await createRecord(org, 'companies', { name: 'Acme' }),
      await createRecord(org, 'companies', { name: 'Beta' }),
    ]
    const people = await manyOf(org, 'people', 1101, (n) => ({ name: `P ${n}`, company: acme.id }))
    await drop(org, 'companies', acme.id)
    const others = people.slice(0, 1001)
    await service.ctx.db.run(sql`
      update records set data = data || jsonb_build_object('company', ${beta.id}::text)
      where org = ${org.org} and id = any(${others}::uuid[])`)
    const { losses, lossCount } = await restore(org, 'companies', acme.id)
    expect(lossCount).toBe(1001)
    expect(losses).toHaveLength(1000)
    expect(new Set(losses.map(({ code }) => code))).toEqual(new Set(['reference_changed']))
    const { body } = await org.get(`/objects/people/records?limit=1&filter[company][equals]=${acme.id}`)
    expect(body).toMatchObject({ pagination: { total: 100 } })
  })

  test('is not added to a list if the record would be too large', async () => {
    const org = await service.org()
    await addReference(org, 'Advisors', { isList: true })
    for (let n = 0; n < 27; n++)
      await org.post('/objects/companies/attributes', { name: `Notes ${n}`, type: 'text' })
    const [ada, bob] = [
      await createRecord(org, 'people', { name: 'Ada' }),
      await createRecord(org, 'people', { name: 'Bob' }),
    ]
    const acme = await createRecord(org, 'companies', { name: 'Acme', advisors: [ada.id, bob.id] })
    await drop(org, 'people', ada.id)
    const path = `/objects/companies/records/${acme.id}`
    const full: Record<string, string> = {}
    const sizeOf = (data: object) =>
      Buffer.byteLength(JSON.stringify({ ...acme.data, advisors: [bob.id], ...data }))
    for (let n = 0; n < 27; n++) {
      const left = RECORD_BYTES_MAX - sizeOf(full) - `"notes_${n}":"",`.length - 10
      full[`notes_${n}`] = 'x'.repeat(Math.max(1, Math.min(9900, left)))
    }
    expect((await org.patch(path, { data: full })).status).toBe(200)
    const loss = { code: 'record_full', recordId: ada.id, otherRecordId: acme.id, activityId: null }
    expect(await restore(org, 'people', ada.id)).toMatchObject({ losses: [loss] })
    expect((await read(org, path)).data['advisors']).toEqual([bob.id])
  })

  test('becomes the unique value of only one record', async () => {
    const org = await service.org()
    await addReference(org, 'Contact', { isUnique: true })
    const ada = await createRecord(org, 'people', { name: 'Ada' })
    const acme = await createRecord(org, 'companies', { name: 'Acme', contact: ada.id })
    await drop(org, 'companies', acme.id)
    const beta = await createRecord(org, 'companies', { name: 'Beta', contact: ada.id })
    await drop(org, 'people', ada.id)
    expect(await restore(org, 'companies', acme.id)).toMatchObject({ losses: [{ code: 'record_in_trash' }] })
    const { losses } = await restore(org, 'people', ada.id)
    expect(losses).toMatchObject([{ code: 'unique_violation', recordId: ada.id, otherRecordId: acme.id }])
    const contacts = []
    for (const { id } of [acme, beta])
      contacts.push((await read(org, `/objects/companies/records/${id}`)).data['contact'])
    expect(contacts).toEqual([undefined, ada.id])
  })
})

describe('an activity that has no room for a restored link', () => {
  test('is listed as a loss and does not change', async () => {
    const org = await service.org()
    const ids = await manyOf(org, 'companies', ACTIVITY_LINKS_MAX + 1, (n) => ({ name: `C ${n}` }))
    const { id: objectId } = await read(org, '/objects/companies')
    const links = ids.map((recordId) => ({ recordId, objectId }))
    const { body: call } = await org.post<{ id: string }>('/activities', {
      title: 'Call',
      linkedRecords: links.slice(1),
    })
    const [extra] = links
    const deleted = ids[1] ?? ''
    await drop(org, 'companies', deleted)
    await org.patch(`/activities/${call.id}`, { linkedRecords: [...links.slice(2), extra] })
    const before = await read(org, `/activities/${call.id}`)
    const count = (await org.events()).length
    const loss = {
      ...{ code: 'list_full', recordId: deleted, attributeSlug: 'linkedRecords', otherRecordId: null },
      activityId: call.id,
    }
    expect(await restore(org, 'companies', deleted)).toMatchObject({ losses: [loss], lossCount: 1 })
    expect(await read(org, `/activities/${call.id}`)).toEqual(before)
    expect((await org.events()).slice(count).map(({ type }) => type)).toEqual(['record.created'])
  })
})
