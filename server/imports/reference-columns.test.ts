// Columns of references whose cells are values of one attribute of the other object: `company.domain`, `company.name`.
import { expect, test } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { createdJob, sendPiece } from '../record-jobs/jobs.fixture.ts'
import { importTable } from '../record-jobs/tables.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { checked, imported, mapping, uploaded } from './imports.fixture.ts'

const service = await sharedTestService()

/** The domain of one company is the name of another. */
async function withCompanies() {
  const org = await service.org()
  const member = await org.member('member')
  const add = async (data: object) =>
    (await org.post<{ id: string }>('/objects/companies/records', { data })).body.id
  const acme = await add({ name: 'Acme', domain: 'acme.com' })
  const other = await add({ name: 'acme.com', domain: 'other.com' })
  return { org, member, acme, other }
}

const companiesOf = async (org: Org) =>
  (await org.get<RecordList>('/objects/people/records?order=asc')).body.records.map(
    ({ data }) => data['company'],
  )

const byJob = (
  org: Org,
  text: string,
  columns: NonNullable<NewJob['columns']>,
  asked: Partial<NewJob> = {},
) => importTable(service, org, text, { columns, ...asked })

const FILE = ['Name,Firm', 'Ada,https://www.ACME.com/', 'Bo,', 'Cy,Acme'].join('\n')

test('an import finds records by the attribute that its mapping names', async () => {
  const { org, member, acme, other } = await withCompanies()
  const byDomain = await imported(service, member, { text: FILE, mapping: mapping('name', 'company.domain') })
  expect(byDomain).toMatchObject({
    check: {
      creates: 2,
      errors: 1,
      problems: [{ column: 'Firm', value: 'Acme', message: 'No company has "Acme" as domain' }],
    },
  })
  expect(await companiesOf(org)).toEqual([acme, undefined])
  const text = 'Name,Firm\nDi,acme.com'
  await imported(service, member, { text, mapping: mapping('name', 'company.name') })
  expect((await companiesOf(org)).at(-1)).toBe(other)
})

test('a job finds records by the attribute that its columns name', async () => {
  const { org, acme, other } = await withCompanies()
  const domain = await byJob(org, FILE, { Firm: 'company.domain' })
  expect(domain).toMatchObject({ created: 2, failed: 1 })
  expect(domain.failures[0]?.error).toContain('no company has "Acme" as domain')
  const name = await byJob(org, 'Name,Firm\nDi,ACME.com', { Firm: 'company.name' })
  expect(name).toMatchObject({ created: 1, failed: 0 })
  expect(await companiesOf(org)).toEqual([acme, undefined, other])
})

test('creates one record for a value that no record has', async () => {
  const { org, member } = await withCompanies()
  const text = ['Name,Firm', 'Ada,new.com', 'Bo,www.NEW.com', 'Cy,no domain'].join('\n')
  const [name, column] = mapping('name', 'company.domain')
  if (!name || !column) throw new Error('Two columns are mapped')
  const created = { ...column, onProblem: 'create' as const }
  const file = await imported(service, member, { text, mapping: [name, created] })
  expect(file).toMatchObject({ check: { creates: 2, errors: 1 }, related: [{ created: 1 }] })
  const made = await byJob(
    org,
    'Name,Firm\nDi,next.com',
    { Firm: 'company.domain' },
    {
      createMissing: true,
    },
  )
  expect(made).toMatchObject({ created: 1, related: { companies: 1 } })
  const { body } = await org.get<RecordList>('/objects/companies/records?order=asc')
  expect(body.records.slice(2).map(({ data }) => data)).toEqual([
    { name: 'new.com', domain: 'new.com' },
    { name: 'next.com', domain: 'next.com' },
  ])
})

test('a row with a name that several records have gets a problem', async () => {
  const { org, member } = await withCompanies()
  await org.post('/objects/companies/records', { data: { name: 'ACME' } })
  const text = 'Name,Firm\nAda,acme'
  const file = await checked(service, member, { text, mapping: mapping('name', 'company.name') })
  expect(file.check?.problems[0]?.message).toContain('everal companies match "acme"')
})

test('rejects an attribute that cannot name records', async () => {
  const { org, member } = await withCompanies()
  const file = await uploaded(member, FILE)
  const body = { mapping: mapping('name', 'company.industry') }
  const reply = await member.post(`/imports/${file.id}/check`, body)
  expectError(reply, 'validation_error')
  expect(reply.body).toMatchObject({
    details: {
      errors: [{ path: 'mapping[1].part', code: 'unknown_part', message: expect.stringContaining('domain') }],
    },
  })
  const job = await createdJob(org, { format: 'csv', columns: { Firm: 'company.industry' } })
  expect((await sendPiece(org, job, FILE)).body).toMatchObject({
    details: { errors: [{ path: 'columns.Firm', message: expect.stringContaining('company') }] },
  })
})

test('rejects two columns for one reference', async () => {
  const { member } = await withCompanies()
  const file = await uploaded(member, 'Name,Firm,Site\nAda,Acme,acme.com')
  const body = { mapping: mapping('name', 'company.name', 'company.domain') }
  const reply = await member.post(`/imports/${file.id}/check`, body)
  expectError(reply, 'validation_error')
  expect(reply.body).toMatchObject({ details: { errors: [{ code: 'duplicate_column' }] } })
})

test('a header names the attribute for the cells of a list of references too', async () => {
  const { org, member, acme, other } = await withCompanies()
  await org.post('/objects/people/attributes', {
    ...{ name: 'Clients', slug: 'clients', type: 'reference', isList: true },
    config: { allowed_object_id: 'companies' },
  })
  const text = 'Name,clients.domain\nAda,acme.com; other.com'
  const { guess } = await uploaded(member, text)
  expect(guess.columns).toMatchObject([
    { attributeSlug: 'name' },
    { attributeSlug: 'clients', part: 'domain' },
  ])
  await imported(service, member, { text, mapping: mapping('name', 'clients.domain') })
  const { records } = (await org.get<RecordList>('/objects/people/records')).body
  expect(records.map(({ data }) => data['clients'])).toEqual([[acme, other]])
})
