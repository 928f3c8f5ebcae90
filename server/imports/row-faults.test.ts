// A failed row of a file reports all its faults, in the check, the run and the results of a job.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { importTable } from '../record-jobs/tables.fixture.ts'
import type { Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { imported, mapping } from './imports.fixture.ts'

const service = await sharedTestService()
const { ctx } = service

const FILE = [
  'Name,Email,Phone,Company,Badge',
  'Ada,taken@example.com,none,Nowhere,1',
  ',new@example.com,+1 555 867 5309,Acme,',
  'Bo,bo@example.com,,Acme,2',
].join('\n')

async function setUp() {
  const org = await service.org()
  await org.post('/objects/people/attributes', { name: 'Badge', type: 'text', isUnique: true })
  await org.post('/objects/companies/records', { data: { name: 'Acme' } })
  const taken = { name: 'Taken', email: 'taken@example.com', badge: '1' }
  await org.post('/objects/people/records', { data: taken })
  return org
}

const ALL = /Nowhere.*[Pp]hone.*[Ee]mail.*taken by.*[Bb]adge.*taken by/

async function errorsOf({ org }: Org, importId: string): Promise<string[]> {
  const rows = await ctx.db.many<{ error: string }>(
    sql`select error from import_failures where org = ${org} and import = ${importId} order by row`,
  )
  return rows.map(({ error }) => error)
}

test('the check and the run of the dashboard report all faults of a row', async () => {
  const org = await setUp()
  const member = await org.member('member')
  const columns = mapping('name', 'email', 'phone', 'company', 'badge')
  const file = await imported(service, member, { text: FILE, mapping: columns })
  expect(file.check).toMatchObject({ creates: 1, errors: 2 })
  expect(file.check?.problems.map(({ line, column }) => [line, column])).toEqual([
    [2, 'Company'],
    [2, 'Phone'],
    [2, 'Email'],
    [2, 'Badge'],
    [3, 'Name'],
  ])
  const errors = await errorsOf(org, file.id)
  expect(errors).toEqual([
    'Company: No company is called "Nowhere"; Phone: "none" is not a phone number; Email: Another record has this value already; Badge: Another record has this value already',
    'Name is empty, and every record must have it',
  ])
})

test('reports a fault of a fixed value with the value and without a column of the file', async () => {
  const org = await setUp()
  const member = await org.member('member')
  const file = await imported(service, member, {
    text: 'Name\nAda\nBo\n',
    mapping: mapping('name'),
    fixedValues: [{ attributeSlug: 'phone', value: 'none' }],
  })
  const told = '"none" is not a phone number'
  expect(file.check?.groups).toMatchObject([
    { column: 'Phone', index: null, value: 'none', message: told, rows: 2 },
  ])
  expect(await errorsOf(org, file.id)).toEqual([`Phone: ${told}`, `Phone: ${told}`])
})

test('a job reports all faults of a row', async () => {
  const org = await setUp()
  const { failures, ...outcome } = await importTable(service, org, FILE)
  expect(outcome).toMatchObject({ created: 1, failed: 2 })
  expect(failures.map(({ line, error }) => [line, error])).toEqual([
    [2, expect.stringMatching(ALL)],
    [3, expect.stringContaining('is required: send a value for Name')],
  ])
})
