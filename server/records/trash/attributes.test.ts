// Attributes that are deleted while records are in the trash: their values stay there invisibly and are never restored,
// not even to a new attribute with the same slug.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { buildTestService } from '../../test/build-app.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../engine/maintenance/finish.ts'
import type { ObjectKey } from '../engine/maintenance/work-store.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx

/** Definitions of the attribute `code` before its deletion and of its replacement. */
const FORMS = [
  { name: 'a unique text', definition: { type: 'text', isUnique: true }, value: 'X 1' },
  {
    name: 'a unique text whose case does not count',
    definition: { type: 'text', isUnique: true, config: { caseSensitive: false } },
    value: 'X 1',
  },
  { name: 'a currency', definition: { type: 'currency' }, value: { amount: 12, currency: 'EUR' } },
  { name: 'a list of numbers', definition: { type: 'number', isList: true }, value: [1, 2] },
  { name: 'a date', definition: { type: 'date' }, value: '2026-11-24' },
]
const pairs = FORMS.flatMap((before) =>
  FORMS.filter((after) => after !== before).map((after) => ({ before, after })),
)

test.each(pairs)('does not restore $before.name into $after.name', async ({ before, after }) => {
  const org = await service.org()
  const add = async (definition: object) =>
    (await org.post<{ id: string }>('/objects/companies/attributes', { name: 'Code', ...definition })).body
  const make = async (name: string, code: unknown) =>
    (await org.post<CrmRecord>('/objects/companies/records', { data: { name, code } })).body
  const old = await add(before.definition)
  const acme = await make('Acme', before.value)
  await org.delete(`/objects/companies/records/${acme.id}`)
  await org.delete(`/objects/companies/attributes/${old.id}`)
  await add(after.definition)
  const beta = await make('Beta', after.value)
  const path = '/objects/companies'
  const { body: trash } = await org.get<{ records: CrmRecord[] }>(`${path}/trash`)
  expect(trash.records.map(({ data }) => data)).toEqual([{ name: 'Acme' }])
  const { body: restored } = await org.post(`${path}/trash/${acme.id}/restore`)
  expect(restored).toMatchObject({ losses: [{ code: 'attribute_deleted', attributeSlug: 'code' }] })
  const stored = await db.many(sql`
    select id, data, coalesce(comparable, '{}') as comparable from records where org = ${org.org} and id = ${acme.id}`)
  expect(stored).toEqual([{ id: acme.id, data: { name: 'Acme' }, comparable: {} }])
  const uniques = await db.many(sql`select id from uniques where org = ${org.org}`)
  expect(uniques).toEqual(uniques.filter((row) => (row as CrmRecord).id === beta.id))
  expect((await org.patch(`${path}/records/${acme.id}`, { data: { code: null, name: 'A' } })).status).toBe(
    200,
  )
  const object = await db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and slug = 'companies'`,
  )
  await waitUntilIndexed(service.ctx, object)
  expect(await audit(db, object)).toEqual([])
})
