// Phone numbers over HTTP: extensions, and operands of query parameters whose plus was not encoded.
import { expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

async function setUp(): Promise<Org> {
  const org = await service.org()
  await org.post('/objects', { pluralName: 'Lines', singularName: 'Line' })
  await org.post('/objects/lines/attributes', { name: 'Phone', type: 'phone_number', isUnique: true })
  return org
}

const create = (org: Org, phone: string) => org.post<CrmRecord>('/objects/lines/records', { data: { phone } })

async function found(org: Org, query: string): Promise<unknown[]> {
  const { body } = await org.get<{ records: CrmRecord[] }>(`/objects/lines/records?order=asc&${query}`)
  return body.records.map(({ data }) => data['phone'])
}

test('two extensions of a number are different values, and two forms of an extension are one value', async () => {
  const org = await setUp()
  for (const phone of ['+1 555 867 5309', '+1 555 867 5309 x12', '+1 555 867 5309 x13'])
    expect(await create(org, phone)).toMatchObject({ status: 201, body: { data: { phone } } })
  expectError(await create(org, '(555) 867-5309 ext. 12'), 'unique_violation')
  const equal = (phone: string) => found(org, `filter[phone][equals]=${encodeURIComponent(phone)}`)
  expect(await equal('5558675309;ext=12')).toEqual(['+1 555 867 5309 x12'])
  expect(await equal('555-867-5309')).toEqual(['+1 555 867 5309'])
  const search = (operator: string, part: string) =>
    found(org, `filter[phone][${operator}]=${encodeURIComponent(part)}`)
  expect(await search('contains', '867 5309')).toHaveLength(3)
  expect(await search('startsWith', '+1 555 867 5309 ext 1')).toHaveLength(2)
  expect(await search('endsWith', '5309 x13')).toEqual(['+1 555 867 5309 x13'])
})

test.each([
  ['filter[phone][startsWith]=+1', ['+1 555 867 5309']],
  ['filter[phone][contains]=+49', ['+49 151 23456789']],
  ['filter[phone][equals]=+4915123456789', ['+49 151 23456789']],
  ['filter[phone][notContains]=+1', ['+49 151 23456789']],
  ['filter[phone][startsWith]=+(49)151', ['+49 151 23456789']],
])('an unencoded plus in a query parameter is read as a plus: %s', async (query, phones) => {
  const org = await setUp()
  for (const phone of ['+1 555 867 5309', '+49 151 23456789']) await create(org, phone)
  expect(await found(org, query)).toEqual(phones)
})

test('a leading space without a number after it is refused', async () => {
  const org = await setUp()
  expectError(await org.get('/objects/lines/records?filter[phone][startsWith]=+'), 'invalid_filter')
})
