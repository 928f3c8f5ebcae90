// `fields` of exports: parts of values, and attributes of referenced records.
import { expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import type { Job, NewJob } from '../../contract/jobs.ts'
import type { CrmRecord } from '../../contract/records.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, never, queuedJob, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'

const reference = (slug: string, isList = false) => ({
  ...{ name: slug, slug, type: 'reference', isList },
  config: { allowed_object_id: 'companies' },
})

async function withPeople(): Promise<Org> {
  const org = await service.org()
  await org.post<Attribute>('/objects/people/attributes', reference('clients', true))
  await org.post('/objects/people/attributes', { name: 'Budget', type: 'currency' })
  await org.post('/objects/companies/attributes', { name: 'Seat', slug: 'seat', type: 'address' })
  const companies = [
    { data: { name: 'Acme', domain: 'acme.com', seat: { city: 'Bonn', country: 'DE' } } },
    { data: { name: 'Widgets; Co', domain: 'widgets.com' } },
    { data: { name: 'Hidden' } },
  ]
  await org.post('/objects/companies/records/bulk', { records: companies })
  const people = [
    {
      ...{ name: 'Ada Lovelace', email: 'ada@example.com', company: { domain: 'acme.com' } },
      ...{
        clients: [{ domain: 'widgets.com' }, { domain: 'acme.com' }],
        budget: { amount: '12.50', currency: 'EUR' },
      },
    },
    { name: 'Bob', email: 'bob@example.com', company: { domain: 'widgets.com' } },
    { name: 'Cy', email: 'cy@example.com' },
  ]
  const written = await org.post(`${PEOPLE}/bulk`, { records: people.map((data) => ({ data })) })
  expect(written.body).toMatchObject({ results: [{}, {}, {}] })
  return org
}

const fileOf = async ({ key }: Org, { id }: Job) =>
  (await service.inject({ url: `/api/v1/jobs/${id}/file`, headers: { authorization: `Bearer ${key}` } }))
    .payload

async function exported(org: Org, body: Partial<NewJob>, size?: { rows: number; took: () => void }) {
  const job = await createdJob(org, { type: 'export', ...body })
  await work(service, org, job, never, size)
  expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: { exported: 3 } })
  return fileOf(org, job)
}

const rowsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row) => row.split(',').slice(1, -2))

const dataIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as CrmRecord).data)

test('a table has a column for each part and each attribute of a referenced record', async () => {
  const org = await withPeople()
  const fields = [
    'email',
    'name.lastName',
    'company.domain',
    'company.name',
    'clients.domain',
    'budget.currency',
  ]
  expect(rowsIn(await exported(org, { format: 'csv', fields }))).toEqual([
    fields,
    ['ada@example.com', 'Lovelace', 'acme.com', 'Acme', '"widgets.com;acme.com"', 'EUR'],
    ['bob@example.com', '', 'widgets.com', '"Widgets; Co"', '', ''],
    ['cy@example.com', '', '', '', '', ''],
  ])
})

test('a table has the parts of an attribute of a referenced record, or one of them', async () => {
  const org = await withPeople()
  const parts = ['line1', 'line2', 'city', 'state', 'postalCode', 'country']
  const [head, ada] = rowsIn(
    await exported(org, { format: 'csv', fields: ['company.seat', 'budget.amount'] }),
  )
  expect(head).toEqual([...parts.map((part) => `company.seat.${part}`), 'budget.amount'])
  expect(ada).toEqual(['', '', 'Bonn', '', '', 'DE', '12.5'])
  const sort = { field: 'name.lastName', order: 'asc' } as const
  const one = await exported(org, { format: 'csv', fields: ['company.seat.city', 'company'], sort })
  expect(rowsIn(one).slice(0, 2)).toEqual([
    ['company.seat.city', 'company'],
    ['Bonn', expect.stringMatching(/^[\w-]{36}$/)],
  ])
})

test('lines of JSON have each value in its place, in the form of references by value', async () => {
  const org = await withPeople()
  const fields = [
    'email',
    'name.lastName',
    'company.domain',
    'company.seat.city',
    'clients.domain',
    'budget.amount',
  ]
  expect(dataIn(await exported(org, { fields }))).toEqual([
    {
      ...{ email: 'ada@example.com', name: { lastName: 'Lovelace' }, budget: { amount: 12.5 } },
      company: { domain: 'acme.com', seat: { city: 'Bonn' } },
      clients: [{ domain: 'widgets.com' }, { domain: 'acme.com' }],
    },
    { email: 'bob@example.com', company: { domain: 'widgets.com' } },
    { email: 'cy@example.com' },
  ])
})

test.each(['csv', 'ndjson'] as const)(
  'an import accepts the file in %s, and changes nothing',
  async (format) => {
    const org = await withPeople()
    const text = await exported(org, { format, fields: ['email', 'company.domain', 'clients.domain'] })
    const back = await queuedJob(org, text, { format, matchOn: 'email' })
    await work(service, org, back)
    expect((await jobOf(org, back)).progress).toMatchObject({ done: 3, unchanged: 3, failed: 0 })
  },
)

test('the file does not depend on the size of batches', async () => {
  const org = await withPeople()
  const fields = ['company.domain', 'clients.name']
  const small = await exported(org, { format: 'csv', fields }, { rows: 1, took: () => undefined })
  expect(small).toBe(await exported(org, { format: 'csv', fields }, { rows: 100, took: () => undefined }))
})

test('an attribute of a referenced record that is deleted during the job is left out', async () => {
  const org = await withPeople()
  const { body } = await org.post<Attribute>('/objects/companies/attributes', { name: 'Code', type: 'text' })
  const lines = await createdJob(org, { type: 'export', fields: ['email', 'company.code'] })
  const table = await createdJob(org, { type: 'export', format: 'csv', fields: ['email', 'company.code'] })
  expect((await org.delete(`/objects/companies/attributes/${body.id}`)).status).toBe(200)
  await work(service, org, lines)
  await work(service, org, table)
  expect(dataIn(await fileOf(org, lines))[0]).toEqual({ email: 'ada@example.com' })
  expect(rowsIn(await fileOf(org, table)).slice(0, 2)).toEqual([
    ['email', 'company.code'],
    ['ada@example.com', ''],
  ])
})

test.each([
  [
    ['email', 'company.domian'],
    1,
    'unknown_attribute',
    'companies has no attribute "domian": did you mean "domain"?',
  ],
  [['compani.domain'], 0, 'unknown_attribute', 'people has no attribute "compani": did you mean "company"?'],
  [['name.lastname'], 0, 'unknown_part', 'name has no part "lastname": did you mean "lastName"?'],
  [['email.host'], 0, 'unknown_part', 'email is of type email, which has no parts: send only email'],
  [['company.seat.town'], 0, 'unknown_part', expect.stringContaining('seat has no part "town": use ')],
  [['company.parent.name'], 0, 'too_deep', expect.stringContaining('must follow at most one reference')],
  [['company.created_at'], 0, 'unknown_attribute', expect.stringContaining('companies has no attribute ')],
  [['company.domain', 'company'], 0, 'not_allowed', expect.stringContaining('send format csv')],
])('%j is refused', async (fields, place, code, message) => {
  const org = await withPeople()
  await org.post('/objects/companies/attributes', reference('parent'))
  const refused = await org.post('/jobs', { type: 'export', objectId: 'people', fields })
  expectError(refused, 'validation_error')
  expect(refused.body).toMatchObject({ details: { errors: [{ path: `fields[${place}]`, code, message }] } })
})
