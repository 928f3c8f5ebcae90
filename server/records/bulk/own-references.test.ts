// References by value to records of the same request: the result is as if the rows were sent one after the other.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BulkResult, CrmRecord } from '../../../contract/records.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { bulkWrite } from './service.ts'

const service = await sharedTestService()

const PEOPLE = '/objects/people/records'
const BULK = `${PEOPLE}/bulk`

/** An organization whose people have a manager, who is found by email or number. */
async function organization(): Promise<Org> {
  const org = await service.org()
  const path = '/objects/people/attributes'
  const { body } = await org.get('/objects/people')
  const config = { allowed_object_id: body['id'] }
  for (const attribute of [
    { name: 'Manager', type: 'reference', config },
    { name: 'Peers', type: 'reference', config, isList: true },
    { name: 'Number', type: 'text', isUnique: true },
  ])
    expect((await org.post(path, attribute)).status).toBe(201)
  return org
}

const person = (name: string, manager?: string, more: object = {}) => ({
  data: {
    ...{ name, email: `${name.toLowerCase()}@x.org` },
    ...(manager !== undefined && { manager: { email: `${manager.toLowerCase()}@x.org` } }),
    ...more,
  },
})

/** The name of the manager of each person. */
async function managers(org: Org): Promise<Record<string, string | null>> {
  const { body } = await org.get<{ records: CrmRecord[] }>(`${PEOPLE}?limit=100&order=asc`)
  const nameOf = ({ data }: CrmRecord) => (data['name'] as { firstName: string }).firstName
  const names = new Map(body.records.map((one) => [one.id, nameOf(one)]))
  return Object.fromEntries(
    body.records.map((one) => [nameOf(one), names.get(String(one.data['manager'])) ?? null]),
  )
}

const write = (org: Org, records: object[], more: object = {}) =>
  org.post<BulkResult>(BULK, { records, ...more })

const statuses = ({ body }: { body: BulkResult }) => body.results.map(({ status }) => status)

const TREE = [
  ...[person('Ada'), person('Bob', 'Ada'), person('Cid', 'Bob'), person('Dan', 'Ada')],
  ...[person('Eve', 'Dan', { peers: [{ email: 'BOB@x.org' }, { email: 'cid@x.org' }] }), person('Fay')],
]

test.each([
  ['new records', {}],
  ['an upsert by the value that references name', { mode: 'upsert', matchOn: 'email' }],
])('a row of %s refers to an earlier row by value', async (_, how) => {
  const org = await organization()
  const reply = await write(org, TREE, how)
  expect(reply.body).toMatchObject({ created: 6, updated: 0, failed: [] })
  expect(reply.body.results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5])
  expect(await managers(org)).toEqual({
    Ada: null,
    Bob: 'Ada',
    Cid: 'Bob',
    Dan: 'Ada',
    Eve: 'Dan',
    Fay: null,
  })
})

test('a row does not find an earlier row that failed, and a later row', async () => {
  const org = await organization()
  const rows = [
    person('Ada', undefined, { colour: 1 }),
    person('Bob', 'Ada'),
    person('Cid', 'Dan'),
    person('Dan'),
  ]
  const reply = await write(org, rows)
  expect(statuses(reply)).toEqual(['failed', 'failed', 'failed', 'created'])
  expect(reply.body.failed).toMatchObject([
    { index: 0 },
    { index: 1, error: expect.stringContaining('no record has "ada@x.org" as email') },
    { index: 2, error: expect.stringContaining('no record has "dan@x.org" as email') },
  ])
})

test('with allOrNone all faults are listed, and nothing is written', async () => {
  const org = await organization()
  const rows = [
    person('Ada'),
    person('Bob', 'Ada', { colour: 1 }),
    person('Cid', 'Bob'),
    person('Dan', 'Eve'),
  ]
  const reply = await write(org, rows, { allOrNone: true })
  expectError(reply, 'validation_error')
  expect((reply.body as object as { details: { failed: object[] } }).details.failed).toMatchObject([
    { index: 1 },
    { index: 2 },
    { index: 3 },
  ])
  expect(await managers(org)).toEqual({})
  expect((await write(org, [person('Ada'), person('Bob', 'Ada')], { allOrNone: true })).body.created).toBe(2)
})

test('a record created for a reference to another object is shared by rows that depend on each other', async () => {
  const org = await organization()
  const company = { company: { domain: 'acme.com' } }
  const rows = [person('Ada', undefined, company), person('Bob', 'Ada', company)]
  expect((await write(org, rows, { createMissing: true })).body).toMatchObject({ created: 2, failed: [] })
  const { body } = await org.get<{ records: object[] }>('/objects/companies/records')
  expect(body.records).toHaveLength(1)
})

interface Row {
  isById: boolean
  email: number | null | undefined
  number: number | null | undefined
  manager: ['email' | 'number', number] | undefined
  isBad: boolean
}

const EMAILS = 4
const value = fc.nat({ max: EMAILS - 1 })
const row: fc.Arbitrary<Row> = fc.record({
  isById: fc.boolean(),
  email: fc.oneof(value, value, fc.constantFrom(null, undefined)),
  number: fc.oneof(value, value, fc.constantFrom(null, undefined)),
  manager: fc.option(fc.tuple(fc.constantFrom('email' as const, 'number' as const), value), {
    nil: undefined,
  }),
  isBad: fc.boolean(),
})

const nthValue = (slug: 'email' | 'number', n: number | null) =>
  n === null ? null : slug === 'email' ? `p${n}@x.org` : `N${n}`

const callerOf = ({ org, id, userId, keyId }: Org) => ({
  ...{ org, orgId: id, userId, keyId },
  ...{ country: 'US', currency: 'USD' },
})

test('random requests have the result of their rows one after the other', async () => {
  const written = async (mode: object, rows: readonly Row[], size: number) => {
    const org = await organization()
    const made = await write(
      org,
      [0, 1].map((n) => ({ data: { name: `M${n}`, email: nthValue('email', n) } })),
    )
    const ids = made.body.results.map(({ id }) => id ?? '')
    const records = rows.map(({ isById, email, number, manager, isBad }, place) => ({
      ...(isById && { id: ids[place % 2] }),
      data: {
        name: `R${place}`,
        ...(email !== undefined && { email: nthValue('email', email) }),
        ...(number !== undefined && { number: nthValue('number', number) }),
        ...(manager && { manager: { [manager[0]]: nthValue(...manager) } }),
        ...(isBad && place % 3 === 0 && { colour: 1 }),
      },
    }))
    const results: string[] = []
    for (let start = 0; start < records.length; start += size) {
      const body = { mode: 'create' as const, ...mode, records: records.slice(start, start + size) }
      const done = await bulkWrite(service.ctx, callerOf(org), 'people', body, { hasExchanges: false })
      results.push(...done.results.map(({ status }) => status))
    }
    return { results, managers: await managers(org) }
  }
  const modes = [{}, { mode: 'upsert', matchOn: 'email' }, { mode: 'upsert', matchOn: 'number' }]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...modes),
      fc.array(row, { minLength: 2, maxLength: 9 }),
      async (mode, rows) => {
        expect(await written(mode, rows, rows.length)).toEqual(await written(mode, rows, 1))
      },
    ),
    { numRuns: 40, seed: 41 },
  )
})
