import { describe, expect, test } from 'vitest'
import type { CheckedRow } from '../../contract/pasted-cells.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()
const CHECK = '/objects/things/pasted-cells/check'

const org = await service.org()
const mia = await org.member('member')

const create = async (object: string, data: object) =>
  String((await org.post(`/objects/${object}/records`, { data })).body['id'])

await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
const { body: companies } = await org.get('/objects/companies')
const { body: people } = await org.get('/objects/people')
for (const attribute of [
  { name: 'Name', type: 'text', isRequired: true },
  { name: 'Mail', type: 'email', isUnique: true },
  { name: 'Weight', type: 'number' },
  { name: 'Price', type: 'currency' },
  { name: 'Sold', type: 'date' },
  { name: 'Person', type: 'name' },
  { name: 'Place', type: 'address' },
  { name: 'Stage', type: 'select', config: { options: ['Open', 'Won'] } },
  { name: 'Colors', type: 'select', isList: true, config: { options: ['Red', 'Blue'] } },
  { name: 'Tags', type: 'list' },
  { name: 'Firm', type: 'reference', config: { allowed_object_id: companies['id'] } },
  { name: 'Boss', type: 'reference', config: { allowed_object_id: people['id'] } },
  { name: 'Keeper', type: 'member' },
  { name: 'Done', type: 'checkbox' },
  { name: 'Site', type: 'url' },
  { name: 'Phone', type: 'phone_number' },
])
  expect((await org.post('/objects/things/attributes', attribute)).status).toBe(201)
const lovelace = await create('people', { name: { firstName: 'Ada', lastName: 'Lovelace' } })
const acme = await create('companies', { name: 'Acme', domain: 'acme.example.com' })
for (const name of ['Twin', 'Twin']) await create('companies', { name })
const lamp = await create('things', {
  name: 'Lamp',
  mail: 'lamp@example.com',
  price: { amount: 1, currency: 'EUR' },
})
const chair = await create('things', { name: 'Chair', mail: 'chair@example.com' })

interface Row {
  id?: string
  cells: string[]
}

async function check(columns: string[], rows: Row[]): Promise<CheckedRow[]> {
  const { status, body } = await mia.post<{ rows: CheckedRow[] }>(CHECK, { columns, rows })
  expect([status, body]).toEqual([200, { rows: expect.any(Array) }])
  return body.rows
}

const codesOf = ({ problems }: CheckedRow) =>
  problems.map(({ attributeSlug, code }) => `${attributeSlug}: ${code}`)

describe('POST /objects/:objectId/pasted-cells/check', () => {
  test.each<[string, string, () => unknown]>([
    ['name', 'Candle', () => 'Candle'],
    ['mail', ' New@Example.com ', () => expect.stringMatching(/new@example\.com/i)],
    ['weight', '1500.5', () => 1500.5],
    ['weight', '12345678901234567890.5', () => expect.anything()],
    ['price', '9.99 usd', () => ({ amount: 9.99, currency: 'USD' })],
    ['price', '{"amount":5,"currency":"JPY"}', () => ({ amount: 5, currency: 'JPY' })],
    ['sold', '2026-11-20', () => '2026-11-20'],
    ['person', 'Ada King Lovelace', () => ({ firstName: 'Ada King', lastName: 'Lovelace' })],
    ['person', 'King, Ada', () => ({ firstName: 'Ada', lastName: 'King' })],
    ['tags', '\u200b', () => null],
    ['mail', '\ufeffnew@example.com\u00a0', () => 'new@example.com'],
    [
      'person',
      '{"firstName":"Ada","lastName":"King Lovelace"}',
      () => ({ firstName: 'Ada', lastName: 'King Lovelace' }),
    ],
    ['place', '1 Main Street', () => ({ line1: '1 Main Street' })],
    ['stage', 'won', () => 'Won'],
    ['colors', 'Red; Blue', () => ['Red', 'Blue']],
    ['tags', '["a; b","c"]', () => ['a; b', 'c']],
    ['firm', 'acme', () => acme],
    ['firm', 'acme.example.com', () => acme],
    ['firm', acme, () => acme],
    ['boss', 'Lovelace, Ada', () => lovelace],
    ['boss', 'ada lovelace', () => lovelace],
    ['keeper', 'mia MEMBER', () => mia.userId],
    ['keeper', mia.email, () => mia.userId],
    ['done', 'yes', () => true],
    ['site', 'example.com', () => 'https://example.com'],
    ['phone', '+1 415 555 0132', () => '+1 415 555 0132'],
  ])('attribute %s reads "%s"', async (slug, text, value) => {
    const [row] = await check([slug], [{ id: lamp, cells: [text] }])
    expect(row).toEqual({ data: { [slug]: value() }, problems: [], isRefused: false })
  })

  test.each([
    ['mail', 'nowhere', 'invalid_email'],
    ['mail', 'chair@example.com', 'unique_violation'],
    ['weight', 'heavy', 'invalid_number'],
    ['price', '1.23456 USD', 'invalid_currency'],
    ['sold', '31.11.2026', 'invalid_date'],
    ['stage', 'Lost', 'unknown_option'],
    ['firm', 'No such name', 'invalid_reference'],
    ['firm', 'Twin', 'invalid_reference'],
    ['firm', '0198c0de-0000-7000-8000-000000000001', 'invalid_reference'],
    ['keeper', 'No such name', 'invalid_reference'],
    ['done', 'maybe', 'invalid_checkbox'],
    ['name', '', 'required'],
    ['name', 'a\u0000', 'invalid_text'],
  ])('attribute %s rejects "%s" and keeps the other cells of the row', async (slug, text, code) => {
    const [row] = await check([slug, 'tags'], [{ id: lamp, cells: [text, 'vip'] }])
    expect(row && codesOf(row)).toEqual([`${slug}: ${code}`])
    expect(row).toMatchObject({ data: { tags: ['vip'] }, isRefused: false })
  })

  test('reads blank cells as null and an amount without a currency as it is, and writes nothing', async () => {
    const rows = await check(['mail', 'price'], [{ id: lamp, cells: ['  ', '7'] }])
    expect(rows).toEqual([{ data: { mail: null, price: { amount: 7 } }, problems: [], isRefused: false }])
    expect((await mia.get(`/objects/things/records/${lamp}`)).body).toMatchObject({
      data: { mail: 'lamp@example.com', price: { amount: 1 } },
      version: 1,
    })
  })

  test('accepts an exchange of unique values, and rejects a value for two records', async () => {
    const swapped = await check(
      ['mail'],
      [
        { id: lamp, cells: ['chair@example.com'] },
        { id: chair, cells: ['lamp@example.com'] },
      ],
    )
    expect(swapped.flatMap(codesOf)).toEqual([])
    const twice = await check(
      ['name', 'mail'],
      [{ cells: ['A', 'x@example.com'] }, { cells: ['B', 'X@example.com'] }],
    )
    expect(twice.map(codesOf)).toEqual([[], ['mail: unique_violation']])
  })

  test('refuses a new record without required values, and leaves out its other invalid values', async () => {
    const [bare, unnamed, whole] = await check(
      ['name', 'weight'],
      [{ cells: ['Bed', 'heavy'] }, { cells: ['', '5'] }, { cells: ['Bed', '5'] }],
    )
    expect(bare).toMatchObject({ data: { name: 'Bed' }, isRefused: false })
    expect(unnamed).toMatchObject({ data: {}, isRefused: true, problems: [{ attributeSlug: 'name' }] })
    expect(whole).toEqual({ data: { name: 'Bed', weight: 5 }, problems: [], isRefused: false })
    const [missing] = await check(['weight'], [{ cells: ['5'] }])
    expect(missing).toMatchObject({
      isRefused: true,
      problems: [{ attributeSlug: 'name', code: 'required' }],
    })
  })

  test.each([
    [{ columns: ['nothing'], rows: [{ cells: ['a'] }] }, 'columns[0]', 'unknown_attribute'],
    [{ columns: ['name', 'name'], rows: [{ cells: ['a', 'b'] }] }, 'columns[1]', 'duplicate'],
    [{ columns: ['name'], rows: [{ cells: [] }] }, 'rows[0].cells', 'invalid_length'],
    [{ columns: ['name'], rows: [{ id: 'x', cells: ['a'] }] }, 'rows[0].id', 'pattern'],
    [{ columns: [], rows: [] }, 'columns', 'minItems'],
  ])('refuses %j', async (body, path, code) => {
    const reply = await mia.post(CHECK, body)
    expectError(reply, 'validation_error')
    const { errors } = reply.body['details'] as { errors: { path: string; code: string }[] }
    expect(errors[0]).toMatchObject({ path, code })
  })

  test('refuses an inactive object, and does not find an object of another organization', async () => {
    const other = await service.org()
    const { body } = await other.get('/objects/deals')
    const asked = { columns: ['name'], rows: [{ cells: ['a'] }] }
    expectError(await mia.post(`/objects/${body['id']}/pasted-cells/check`, asked), 'not_found')
    const { body: idle } = await org.post('/objects', { pluralName: 'Idlers', singularName: 'Idler' })
    await org.patch(`/objects/${idle['id']}`, { isActive: false })
    expectError(await mia.post(`/objects/${idle['id']}/pasted-cells/check`, asked), 'object_inactive')
  })

  test('does not find records of another organization by name', async () => {
    const other = await service.org()
    await other.post('/objects/companies/records', { data: { name: 'Only there' } })
    const [row] = await check(['firm'], [{ id: lamp, cells: ['Only there'] }])
    expect(row && codesOf(row)).toEqual(['firm: invalid_reference'])
  })
})
