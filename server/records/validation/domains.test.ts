// Domains over HTTP: how they are compared, everywhere that values are compared, and how they are returned.
import { beforeEach, describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { resultsOf } from '../../reports/reports.fixture.ts'
import { bodyOf, createRecord, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'

const service = await sharedTestService()
const COMPANIES = '/objects/companies/records'
const ENTERED = 'https://www.Acme.com/about'
const SAME = ['acme.com', 'ACME.COM', 'www.acme.com', 'http://acme.com', ' acme.com/ ', 'acme.com:8080?a#b']

let org: Org
beforeEach(async () => {
  org = await service.org()
})

const add = async (name: string, domain: string): Promise<string> =>
  (await createRecord(org, 'companies', { name, domain })).id

async function names(search: object): Promise<unknown[]> {
  const body = bodyOf(await org.post<{ records: CrmRecord[] }>(`${COMPANIES}/search`, search))
  return body.records.map(({ data }) => data['name']).sort()
}

const where = (operator: string, value: unknown) =>
  names({ filter: { attributeSlug: 'domain', operator, value } })

test('the domain of companies is of type domain, and stays built in', async () => {
  const { body } = await org.get<{ attributes: { id: string; slug: string; type: string }[] }>(
    '/objects/companies',
  )
  const domain = body.attributes.find(({ slug }) => slug === 'domain')
  expect(domain).toMatchObject({ type: 'domain', isUnique: true })
  expectError(await org.delete(`/objects/companies/attributes/${domain?.id}`), 'standard_object')
})

test('a value is returned as it was entered, and every other form of it is a duplicate', async () => {
  const id = await add('Acme', ENTERED)
  expect((await org.get<CrmRecord>(`${COMPANIES}/${id}`)).body.data).toEqual({
    name: 'Acme',
    domain: ENTERED,
  })
  for (const domain of SAME) {
    const taken = await org.post(COMPANIES, { data: { name: 'Another', domain } })
    expectError(taken, 'unique_violation')
    expect(taken.body).toMatchObject({ details: { existingRecordId: id, attributeSlug: 'domain' } })
  }
  await add('Shop', 'shop.acme.com')
  const changed = await org.patch<CrmRecord>(`${COMPANIES}/${id}`, { data: { domain: 'ACME.com' } })
  expect(changed.body.data).toMatchObject({ domain: 'ACME.com' })
  const cleared = await org.patch<CrmRecord>(`${COMPANIES}/${id}`, { data: { domain: null } })
  expect(cleared.body.data).toEqual({ name: 'Acme' })
  expect(await where('equals', 'acme.com')).toEqual([])
  await add('Another', 'acme.com')
})

test('a host name in punycode equals the name in its letters', async () => {
  await add('Books', 'https://Bücher.example')
  expectError(
    await org.post(COMPANIES, { data: { name: 'B', domain: 'xn--bcher-kva.example' } }),
    'unique_violation',
  )
  for (const value of ['xn--bcher-kva.example', 'bücher.example', 'bu\u0308cher.example'])
    expect(await where('equals', value)).toEqual(['Books'])
  expect(await where('contains', 'BÜCH')).toEqual(['Books'])
  expect(await names({ q: 'bucher' })).toEqual(['Books'])
})

test.each(['n/a', 'ada@acme.com', '192.0.2.7', 'localhost', 'acme.com and globex.com'])(
  '%s is rejected with a message on what to send instead',
  async (domain) => {
    const refused = await org.post(COMPANIES, { data: { name: 'Acme', domain } })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({
      details: {
        errors: [
          { path: 'data.domain', code: 'invalid_domain', message: expect.stringContaining('"acme.com"') },
        ],
      },
    })
  },
)

describe.each(['few', 'many'] as const)('domains of %s companies', (size) => {
  beforeEach(async () => {
    if (size === 'many') {
      const { body } = await org.get<{ id: string }>('/objects/companies')
      await indexEmptyObject(service.ctx.db, body.id, { texts: 'presence', keepsMissing: true })
    }
    await add('Acme', ENTERED)
    await add('Shop', 'shop.acme.com')
    await add('Globex', 'WWW.globex.org')
    await org.post(COMPANIES, { data: { name: 'None' } })
  })

  test.each([
    ['equals', 'http://acme.com', ['Acme']],
    ['notEquals', 'acme.com', ['Globex', 'None', 'Shop']],
    ['in', ['www.acme.com', 'globex.org/'], ['Acme', 'Globex']],
    ['contains', 'Acme.com', ['Acme', 'Shop']],
    ['contains', 'https://acme', ['Acme', 'Shop']],
    ['notContains', 'about', ['Acme', 'Globex', 'None', 'Shop']],
    ['startsWith', 'https://www.acme.com/', ['Acme']],
    ['startsWith', 'globex', ['Globex']],
    ['endsWith', '.com', ['Acme', 'Shop']],
    ['isEmpty', true, ['None']],
  ])('%s %j finds %j', async (operator, value, expected) => {
    expect(await where(operator, value)).toEqual(expected)
  })

  test('are sorted by their hosts', async () => {
    const { body } = await org.post<{ records: CrmRecord[] }>(`${COMPANIES}/search`, {
      sort: { field: 'domain', order: 'asc' },
    })
    expect(body.records.map(({ data }) => data['name'])).toEqual(['Acme', 'Globex', 'Shop', 'None'])
  })

  test.each([
    ['acme.com', ['Acme', 'Shop']],
    ['https://acme.com/contact', ['Acme']],
    ['http://www.globex.org', ['Globex']],
  ])('a search for %s finds %j', async (q, expected) => {
    expect(await names({ q })).toEqual(expected)
    const mia = await org.member('member')
    const { body } = await mia.get<{ records: { name: string }[] }>(`/search?q=${encodeURIComponent(q)}`)
    expect(body.records.map(({ name }) => name).sort()).toEqual(expected)
  })

  test('an upsert finds a company by any form of its domain', async () => {
    const records = [
      { data: { domain: 'acme.com', employees: 5 } },
      { data: { domain: 'globex.org/', employees: 7 } },
      { data: { domain: 'new.example', name: 'New' } },
      { data: { domain: 'nowhere', name: 'Nowhere' } },
    ]
    const { body } = await org.post(`${COMPANIES}/bulk`, { mode: 'upsert', matchOn: 'domain', records })
    expect(body).toMatchObject({
      created: 1,
      updated: 2,
      failed: [{ index: 3, attribute: 'domain', code: 'validation_error' }],
    })
    expect(
      await names({ filter: { attributeSlug: 'employees', operator: 'isNotEmpty', value: true } }),
    ).toEqual(['Acme', 'Globex'])
  })
})

test('reports filter by hosts, and show domains as they were entered', async () => {
  await add('Acme', ENTERED)
  await add('Globex', 'globex.org')
  const source = { objectId: 'companies', alias: 'company' }
  const filters = { field: 'company.domain', operator: 'equals', value: 'acme.com' }
  const columns = [{ key: 'domain', field: 'company.domain' }]
  const { rows } = await resultsOf(service.ctx, org, { source, columns, filters })
  expect(rows).toEqual([{ domain: ENTERED }])
})
