// A bulk request with a valid envelope is answered row by row, also when rows are invalid.
import { expect, test } from 'vitest'
import type { BulkResult } from '../../../contract/records.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

const BULK = '/objects/companies/records/bulk'
const company = (name: string) => ({ name })

const names = async (org: Org) => {
  const { body } = await org.get<{ records: { data: { name: string } }[] }>(
    '/objects/companies/records?order=asc',
  )
  return body.records.map(({ data }) => data.name)
}

const MALFORMED = [
  ['null', null, 'object'],
  ['a text', 'Acme', 'object'],
  ['a list', [], 'object'],
  ['an empty object', {}, 'data'],
  ['data null', { data: null }, 'data'],
  ['data as a list', { data: [] }, 'data'],
  ['an unknown field', { data: company('Acme'), colour: 'red' }, 'colour'],
] as const

test.each(['create', 'upsert'])('%s: only malformed rows fail, each named by its index', async (mode) => {
  const org = await service.org()
  const records = [{ data: company('First') }, ...MALFORMED.map(([, row]) => row), { data: company('Last') }]
  const body = bodyOf(await org.post<BulkResult>(BULK, { mode, records }))
  expect(body).toMatchObject({ created: 2, updated: 0 })
  expect(body.failed).toMatchObject(
    MALFORMED.map(([, , part], place) => ({ index: place + 1, error: expect.stringContaining(part) })),
  )
  expect(await names(org)).toEqual(['First', 'Last'])
})

test('create ignores an id of any type', async () => {
  const org = await service.org()
  const ids = [null, 5, true, [], {}, 'x', crypto.randomUUID()]
  const records = ids.map((id, place) => ({ id, data: company(`Company ${place}`) }))
  const { body } = await org.post<BulkResult>(BULK, { records })
  expect(body).toMatchObject({ created: ids.length, failed: [] })
  expect(body.results.map(({ id }) => id)).not.toContain(ids.at(-1))
})

test('an upsert treats a null id as a missing id', async () => {
  const org = await service.org()
  const data = { name: 'Acme', domain: 'acme.example' }
  await org.post('/objects/companies/records', { data })
  const created = await org.post<BulkResult>(BULK, {
    mode: 'upsert',
    records: [{ id: null, data: company('B') }],
  })
  expect(created.body).toMatchObject({ created: 1, failed: [] })
  const matched = await org.post<BulkResult>(BULK, {
    mode: 'upsert',
    matchOn: 'domain',
    records: [{ id: null, data: { ...data, name: 'Acme Ltd' } }],
  })
  expect(matched.body).toMatchObject({ created: 0, updated: 1 })
  expect(await names(org)).toEqual(['Acme Ltd', 'B'])
})

test('a failed row of an upsert keeps the id that was sent', async () => {
  const org = await service.org()
  const unknown = crypto.randomUUID()
  const records = [
    { id: unknown, data: company('A') },
    { id: 'mine-17', data: company('B') },
    { id: 5, data: company('C') },
    { data: { colour: 'red' } },
  ]
  const { body } = await org.post<BulkResult>(BULK, { mode: 'upsert', records })
  expect(body.failed.map(({ index }) => index)).toEqual([0, 1, 2, 3])
  expect(body.results.map(({ id }) => id)).toEqual([unknown, 'mine-17', null, null])
})

test('with allOrNone one malformed row fails the request and nothing is written', async () => {
  const org = await service.org()
  const reply = await org.post(BULK, { allOrNone: true, records: [{ data: company('A') }, { data: null }] })
  expectError(reply, 'validation_error')
  expect(reply.body['details']).toMatchObject({ errors: [{ path: 'records[1].data' }] })
  expect(await names(org)).toEqual([])
})

test.each([
  ['no records', {}],
  ['records that are no list', { records: { data: {} } }],
  ['no rows', { records: [] }],
  ['101 rows', { records: Array(101).fill(null) }],
  ['an unknown mode', { mode: 'replace', records: [null] }],
  ['an additional unknown field', { records: [null], colour: 'red' }],
])('%s: the whole request fails with 400', async (_, body) => {
  const org = await service.org()
  expectError(await org.post(BULK, body), 'validation_error')
})

test('unique values with special characters stay distinct', async () => {
  const org = await service.org()
  await org.post('/objects/companies/attributes', {
    name: 'Code',
    slug: 'code',
    type: 'text',
    isUnique: true,
  })
  const codes = ['"', '\\', '\\"', '{a,b}', 'NULL', "it's", 'line\nbreak', ' space ', '{}']
  const records = codes.map((code, index) => ({ data: { name: `Company ${index}`, code } }))
  const { body } = await org.post<BulkResult>(BULK, { records })
  expect(body).toMatchObject({ created: codes.length, failed: [] })
  const again = await org.post<BulkResult>(BULK, { mode: 'upsert', matchOn: 'code', records })
  expect(again.body).toMatchObject({ created: 0, updated: codes.length, failed: [] })
  expect(again.body.results.map(({ id }) => id)).toEqual(body.results.map(({ id }) => id))
})
