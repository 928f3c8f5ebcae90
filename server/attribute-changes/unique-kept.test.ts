// Data that was deleted before an attribute became unique, or was no longer unique, and that is restored afterwards.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { restoreAllValues } from '../records/trash/attribute-values.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { buildPlain, keysOf, type Part, RECORDS } from './case.fixture.ts'

const service = await sharedTestService()
const { db } = service.ctx

const build = (definition: object = {}) => buildPlain(service, definition)

describe('data that was deleted before the change', () => {
  test('records are restored by the current rule', async () => {
    const { org, add, change } = await build({ type: 'email' })
    const ids = [await add('free@example.com'), await add('taken@example.com')]
    await org.delete(`${RECORDS}/bulk`, { ids })
    const holder = await add('Taken@example.com')
    expect((await change(true)).status).toBe(200)
    const restore = (id: string | undefined) => org.post(`/objects/parts/trash/${id}/restore`)
    expect((await restore(ids[0])).body).toMatchObject({ record: { data: { code: 'free@example.com' } } })
    expect((await restore(ids[1])).body).toMatchObject({
      losses: [{ code: 'unique_violation', otherRecordId: holder }],
    })
    expect((await org.get(`${RECORDS}/by/code/free@example.com`)).body).toMatchObject({ id: ids[0] })
  })

  test('records of a formerly unique attribute are restored without keys', async () => {
    const { org, add, change } = await build({ isUnique: true })
    const id = await add('a')
    await org.delete(`${RECORDS}/${id}`)
    expect((await change(false)).status).toBe(200)
    await add('a')
    expect((await org.post(`/objects/parts/trash/${id}/restore`)).body).toMatchObject({
      record: { data: { code: 'a' } },
      losses: [],
    })
    expect(await keysOf(db, org)).toEqual([])
  })

  test('a record whose domain became equal to that of another record is restored without a conflict', async () => {
    const org = await service.org()
    const companies = '/objects/companies/records'
    const ids: string[] = []
    for (const domain of ['acme.com', 'acme.org']) {
      const { body } = await org.post<Part>(companies, { data: { name: 'Acme', domain } })
      ids.push(body.id)
    }
    await db.run(sql`delete from uniques where org = ${org.org} and id = ${ids[1]}`)
    await db.run(sql`
      update records set data = data || '{"domain": "acme.com"}', comparable = comparable || '{"domain": "acme.com"}'
      where org = ${org.org} and id = ${ids[1]}`)
    await org.delete(`${companies}/${ids[1]}`)
    const { body } = await org.post(`/objects/companies/trash/${ids[1]}/restore`)
    expect(body).toMatchObject({ record: { data: { domain: 'acme.com' } }, losses: [] })
  })

  test('renamed options, and references to a record in the trash, are restored with their keys', async () => {
    const { org, add, tryToAdd } = await build({
      type: 'select',
      config: { options: ['A', 'B'] },
      isUnique: true,
    })
    const id = await add('A')
    await org.delete(`${RECORDS}/${id}`)
    const options = [{ value: 'Z', from: ['A'] }, { value: 'B' }]
    const path = '/objects/parts/select-attributes/code'
    expect((await org.patch(path, { options })).status).toBe(200)
    await org.post(`/objects/parts/trash/${id}/restore`)
    expectError(await tryToAdd('Z'), 'unique_violation')

    const person = async (name: string) =>
      (await org.post<Part>('/objects/people/records', { data: { name } })).body.id
    const [ada, bob] = [await person('Ada'), await person('Bob')]
    const { body: people } = await org.get<{ id: string }>('/objects/people')
    const holders = { name: 'Holders', type: 'reference', isList: true }
    await org.post('/objects/parts/attributes', { ...holders, config: { allowed_object_id: people.id } })
    const { body: holder } = await org.post<Part>(RECORDS, { data: { holders: [ada, bob] } })
    await org.delete(`/objects/people/records/${bob}`)
    await org.delete(`${RECORDS}/${holder.id}`)
    expect((await org.patch('/objects/parts/attributes/holders', { isUnique: true })).status).toBe(200)
    await org.post(`/objects/people/trash/${bob}/restore`)
    await org.post(`/objects/parts/trash/${holder.id}/restore`)
    for (const one of [ada, bob])
      expectError(await org.post(RECORDS, { data: { holders: [one] } }), 'unique_violation')
  })

  /** Deletes the attribute, restores it inactive, changes it, and then restores its values. */
  async function changedBetween(isUnique: boolean, codes: readonly string[]) {
    const parts = await build({ isUnique: !isUnique })
    const { org, path, add, change } = parts
    for (const code of codes) await add(code)
    expect((await org.patch(`${path}/active`, { isActive: false })).status).toBe(200)
    await org.delete(path)
    const trashed = path.replace('/attributes/', '/trashed-attributes/')
    expect((await org.post(`${trashed}/restore`, {})).status).toBe(200)
    expect((await change(isUnique)).body.isUnique).toBe(isUnique)
    expect((await org.patch(`${path}/active`, { isActive: true })).status).toBe(200)
    await restoreAllValues(service.ctx, new AbortController().signal)
    return parts
  }

  test('values of an attribute are restored by the current rule, and only one of several equal values', async () => {
    const { org, tryToAdd } = await changedBetween(true, ['x', 'x', 'y'])
    expectError(await tryToAdd('y'), 'unique_violation')
    expect(await keysOf(db, org)).toEqual(['0 x', '2 y'])
    const { body } = await org.get<{ records: Part[] }>(`${RECORDS}?order=asc`)
    expect(body.records.map(({ data }) => data['code'])).toEqual(['x', undefined, 'y'])
  })

  test('values of an attribute that is no longer unique are restored without keys', async () => {
    const { org, tryToAdd } = await changedBetween(false, ['x', 'z'])
    expect(await keysOf(db, org)).toEqual([])
    expect((await tryToAdd('x')).status).toBe(201)
  })
})
