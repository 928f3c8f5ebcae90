// rapport import --create-missing: records that cells name and that do not exist.
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { openCsv } from './csv/open.ts'
import type { FailedFileRow } from './failed-file.ts'
import { importRecords } from './import-records.ts'

const service = await buildTestService()

test('records that cells name are created where that is asked for, once over all batches', async () => {
  const org = await service.org()
  const rows = Array.from(
    { length: 2500 },
    (_, index) => `Person ${index},p${index}@example.com,Firm ${index % 3}`,
  )
  rows[7] = 'Bad,nowhere,Never'
  async function* bytes() {
    yield Buffer.from(['name,email,company', ...rows].join('\n'))
  }
  const failures: FailedFileRow[] = []
  const caller = { ...org, orgId: org.id, keyId: null, country: 'US', currency: 'USD' }
  const outcome = await importRecords(service.ctx, caller, (await openCsv(bytes)).rows(), {
    objectRef: 'people',
    createsMissing: true,
    onFailedRow: (row) => void failures.push(row),
  })
  expect(outcome).toMatchObject({ created: 2499, failed: 1, related: { companies: 3 } })
  expect(failures).toMatchObject([{ line: 9, error: expect.stringContaining('email address') }])
  const { body } = await org.get<{ records: { data: { name: string } }[] }>(
    '/objects/companies/records?order=asc',
  )
  expect(body.records.map(({ data }) => data.name)).toEqual(['Firm 0', 'Firm 1', 'Firm 2'])
})

test('nothing is created for a row that matches no record and lacks what a new one needs', async () => {
  const org = await service.org()
  await org.post('/objects/people/records', { data: { name: 'Old Name', email: 'a@example.com' } })
  async function* bytes() {
    yield Buffer.from('name,email,company\n,a@example.com,Acme\n,b@example.com,Globex\n')
  }
  const caller = { ...org, orgId: org.id, keyId: null, country: 'US', currency: 'USD' }
  const failures: FailedFileRow[] = []
  const outcome = await importRecords(service.ctx, caller, (await openCsv(bytes)).rows(), {
    objectRef: 'people',
    matchOn: 'email',
    createsMissing: true,
    onFailedRow: (row) => void failures.push(row),
  })
  expect(outcome).toMatchObject({ created: 0, updated: 1, failed: 1, related: { companies: 1 } })
  expect(failures).toMatchObject([{ line: 3, error: expect.stringContaining('data.name: is required') }])
})
