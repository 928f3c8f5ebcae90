// rapport import --create-missing: records that cells name and that do not exist.
import { describe, expect, test } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { importTable } from '../record-jobs/tables.fixture.ts'
import type { Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()

test('with createMissing, creates each record that cells name once over all batches', async () => {
  const org = await service.org()
  const rows = Array.from(
    { length: 2500 },
    (_, index) => `Person ${index},p${index}@example.com,Firm ${index % 3}`,
  )
  rows[7] = 'Bad,nowhere,Never'
  const text = ['name,email,company', ...rows].join('\n')
  const { failures, ...outcome } = await importTable(service, org, text, { createMissing: true })
  expect(outcome).toMatchObject({ created: 2499, failed: 1, related: { companies: 3 } })
  expect(failures).toMatchObject([{ line: 9, error: expect.stringContaining('email address') }])
  const { body } = await org.get<{ records: { data: { name: string } }[] }>(
    '/objects/companies/records?order=asc',
  )
  expect(body.records.map(({ data }) => data.name)).toEqual(['Firm 0', 'Firm 1', 'Firm 2'])
})

test('creates no company for an unmatched row without the required values', async () => {
  const org = await service.org()
  await org.post('/objects/people/records', { data: { name: 'Old Name', email: 'a@example.com' } })
  const text = 'name,email,company\n,a@example.com,Acme\n,b@example.com,Globex\n'
  const asked = { matchOn: 'email', createMissing: true }
  const { failures, ...outcome } = await importTable(service, org, text, asked)
  expect(outcome).toMatchObject({ created: 0, updated: 1, failed: 1, related: { companies: 1 } })
  expect(failures).toMatchObject([{ line: 3, error: expect.stringContaining('data.name: is required') }])
})

const ACCOUNTS = ['Golddex,Holding', 'Labdrill,Inity', 'Inity,', 'Faxquote,Sonron', 'Sonron,']

async function objectOfAccounts(): Promise<Org> {
  const org = await service.org()
  const { body } = await org.post('/objects', { pluralName: 'Accounts', singularName: 'Account' })
  const path = '/objects/accounts/attributes'
  await org.post(path, { name: 'Name', type: 'text', isRequired: true, isUnique: true })
  const { status } = await org.post(path, {
    name: 'Parent',
    type: 'reference',
    config: { allowed_object_id: body['id'] },
  })
  expect(status).toBe(201)
  return org
}

const importAccounts = (org: Org, asked: Partial<NewJob>) =>
  importTable(service, org, ['name,parent', ...ACCOUNTS].join('\n'), {
    ...{ objectId: 'accounts', createMissing: true },
    ...asked,
  })

async function parents(org: Org) {
  const { body } = await org.get<RecordList>('/objects/accounts/records')
  const names = new Map(body.records.map(({ id, data }) => [id, data['name']]))
  return Object.fromEntries(
    body.records.map(({ data }) => [data['name'], names.get(String(data['parent'])) ?? null]),
  )
}

describe('rows that name records of later rows', () => {
  test('are written in any order if rows are matched by the attribute that names records', async () => {
    const org = await objectOfAccounts()
    const whole = {
      ...{ Sonron: null, Inity: null, Holding: null },
      ...{ Faxquote: 'Sonron', Labdrill: 'Inity', Golddex: 'Holding' },
    }
    const first = await importAccounts(org, { matchOn: 'name' })
    expect(first).toMatchObject({ failed: 0, related: { accounts: 3 } })
    expect(await parents(org)).toEqual(whole)
    const again = await importAccounts(org, { matchOn: 'name' })
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 5, failed: 0 })
    expect(again.related).toEqual({})
    expect(await parents(org)).toEqual(whole)
  })

  test.each([
    ['they are not matched', {}],
    [
      'duplicate rules decide what they match',
      { matchOn: 'name', duplicates: 'update' as const, duplicateRules: true },
    ],
  ])('fail if %s, because a record could be created twice', async (_, options) => {
    const org = await objectOfAccounts()
    const outcome = await importAccounts(org, options)
    expect(outcome).toMatchObject({ created: 2, failed: 3 })
    expect(outcome.related).toEqual({})
    expect(await parents(org)).toEqual({ Sonron: null, Inity: null })
  })

  test('fail if the names would fill another unique attribute', async () => {
    const org = await objectOfAccounts()
    await org.post('/objects/accounts/attributes', { name: 'Domain', type: 'domain', isUnique: true })
    expect(await importAccounts(org, { matchOn: 'name' })).toMatchObject({ created: 2, failed: 3 })
  })
})
