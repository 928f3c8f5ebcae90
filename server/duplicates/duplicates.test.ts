// Duplicates over HTTP: rules, likely duplicates of new data, and the search in an object with its groups.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import type {
  DuplicateGroupList,
  DuplicateMatches,
  DuplicateRule,
  DuplicateSearch,
  LastDuplicateSearch,
} from '../../contract/duplicates.ts'
import type { CrmRecord } from '../../contract/records.ts'
import { indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { bodyOf, createRecord, expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { searchForDuplicates } from './search/jobs.ts'
import { repeatSearches } from './search/service.ts'

const service = await sharedTestService()
const NO_SUCH = '0198c0de-0000-7000-8000-00000000dead'

let org: Org
beforeEach(async () => {
  org = await service.org()
})

const add = (object: string, data: object): Promise<CrmRecord> => createRecord(org, object, data)
const addCompany = (name: string, more: object = {}) => add('companies', { name, ...more })

async function addAttribute(object: string, attribute: object) {
  expect((await org.post(`/objects/${object}/attributes`, attribute)).status).toBe(201)
}

const rulesOf = async (object: string) =>
  (await org.get<{ rules: DuplicateRule[] }>(`/objects/${object}/duplicate-rules`)).body.rules
const activeIds = async (object: string) =>
  (await rulesOf(object)).filter(({ isActive }) => isActive).map(({ id }) => id)
const switchRule = (object: string, id: string, isActive: boolean) =>
  org.patch<DuplicateRule>(`/objects/${object}/duplicate-rules/${id}`, { isActive })

async function matchesOf(object: string, data: object) {
  const body = bodyOf(await org.post<DuplicateMatches>(`/objects/${object}/records/duplicates`, { data }))
  return body.matches.map(({ record, reasons }) => [record.id, ...reasons])
}

const { drain } = service

async function search(object: string): Promise<DuplicateSearch> {
  const body = bodyOf(await org.post<DuplicateSearch>(`/objects/${object}/duplicate-search`))
  await drain()
  return body
}
const lastSearch = async (object: string) =>
  (await org.get<LastDuplicateSearch>(`/objects/${object}/duplicate-search`)).body.search

const list = async (object: string, query = '') =>
  (await org.get<DuplicateGroupList>(`/objects/${object}/duplicates${query}`)).body
const groupsOf = async (object: string, query = '') =>
  (await list(object, query)).groups.map(({ records, reasons }) => ({
    ids: records.map(({ id }) => id),
    reasons,
  }))
const dismiss = (object: string, id: string, isDismissed = true) =>
  org.patch(`/objects/${object}/duplicates/${id}`, { isDismissed })

describe('rules', () => {
  test('follow from the attributes of the object', async () => {
    await org.post('/objects', { pluralName: 'Schools', singularName: 'School', slug: 'schools' })
    for (const [name, type] of Object.entries({ Name: 'text', Mail: 'email', Phone: 'phone_number' }))
      await addAttribute('schools', { name, type })
    await addAttribute('schools', { name: 'Website', type: 'url' })
    const ids = async (object: string) => (await rulesOf(object)).map(({ id }) => id)
    expect(await ids('people')).toEqual(['same_email.email', 'same_phone.phone', 'similar_name.name.company'])
    expect(await activeIds('people')).toEqual(['same_email.email', 'similar_name.name.company'])
    expect(await activeIds('companies')).toEqual(['same_domain.domain', 'similar_name.name'])
    expect(await activeIds('deals')).toEqual([])
    expect(await activeIds('schools')).toEqual([
      'same_email.mail',
      'same_phone.phone',
      'same_domain.website',
      'similar_name.name',
    ])
  })

  test('are switched individually', async () => {
    await addCompany('Acme')
    const off = await switchRule('companies', 'similar_name.name', false)
    expect(off.body).toMatchObject({ id: 'similar_name.name', name: 'Similar name', isActive: false })
    expect(await activeIds('companies')).toEqual(['same_domain.domain'])
    expect(await matchesOf('companies', { name: 'Acme' })).toEqual([])
    await switchRule('companies', 'similar_name.name', true)
    expect(await matchesOf('companies', { name: 'Acme' })).toHaveLength(1)
    expectError(await switchRule('companies', 'same_email.email', true), 'not_found')
  })
})

describe.each(['a small object', 'a large object'])('likely duplicates in %s', (size) => {
  beforeEach(async () => {
    if (size === 'a small object') return
    for (const object of ['people', 'companies']) {
      const { body } = await org.get<{ id: string }>(`/objects/${object}`)
      await indexEmptyObject(service.ctx.db, body.id, { texts: 'presence', keepsMissing: false })
    }
  })

  test('have the same domain in any notation, or a similar name', async () => {
    const acme = await addCompany('Acme Trading, Inc.', { domain: 'https://www.acme.com/about' })
    await addCompany('Globex', { domain: 'globex.com' })
    expect(await matchesOf('companies', { name: 'Other', domain: 'ACME.com' })).toEqual([
      [acme.id, 'same_domain.domain'],
    ])
    expect(await matchesOf('companies', { name: 'acme tradings' })).toEqual([[acme.id, 'similar_name.name']])
    expect(await matchesOf('companies', { domain: 'acme.com', name: 'Acme Trading' })).toEqual([
      [acme.id, 'same_domain.domain', 'similar_name.name'],
    ])
    expect(await matchesOf('companies', { domain: 'acme.org' })).toEqual([])
    const books = await addCompany('Bücher', { domain: 'http://www.bücher.example' })
    expect(await matchesOf('companies', { domain: 'xn--bcher-kva.example' })).toEqual([
      [books.id, 'same_domain.domain'],
    ])
  })

  test('have the same email, without case', async () => {
    const ada = await add('people', { name: 'Ada Lovelace', email: 'Ada@Example.com' })
    expect(await matchesOf('people', { email: 'ada@example.COM' })).toEqual([[ada.id, 'same_email.email']])
    expect(await matchesOf('people', { name: '', email: null })).toEqual([])
  })

  test('have the same phone number, if that rule is active', async () => {
    const ada = await add('people', { name: 'Ada Lovelace', phone: '+1 555 867 5309' })
    expect(await matchesOf('people', { phone: '+15558675309' })).toEqual([])
    await switchRule('people', 'same_phone.phone', true)
    expect(await matchesOf('people', { phone: '(555) 867-5309' })).toEqual([[ada.id, 'same_phone.phone']])
  })

  test('have a similar name at the same company, or the same name if one has no company', async () => {
    const [acme, globex] = [await addCompany('Acme'), await addCompany('Globex')]
    const reason = 'similar_name.name.company'
    const kat = await add('people', { name: 'Katherine Johnson', company: acme.id })
    expect(await matchesOf('people', { name: 'Katharine Johnson', company: acme.id })).toEqual([
      [kat.id, reason],
    ])
    expect(await matchesOf('people', { name: 'Katherine Johnson', company: globex.id })).toEqual([])
    expect(await matchesOf('people', { name: 'katherine johnson' })).toEqual([[kat.id, reason]])
    expect(await matchesOf('people', { name: 'Katharine Johnson' })).toEqual([])
    await org.patch(`/objects/companies/records/${acme.id}`, { data: { domain: 'acme.example' } })
    const byDomain = (domain: string) => ({ name: 'Katharine Johnson', company: { domain } })
    expect(await matchesOf('people', byDomain('acme.example'))).toEqual([[kat.id, reason]])
    const unknown = { data: byDomain('unknown.example') }
    const refused = await org.post('/objects/people/records/duplicates', unknown)
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path: 'data.company.domain' }] } })
  })

  test('are refused for invalid values', async () => {
    const path = '/objects/people/records/duplicates'
    expectError(await org.post(path, { data: { email: 'no address' } }), 'validation_error')
    expectError(await org.post(path, { data: { unknown: 1 } }), 'validation_error')
  })
})

describe('the search in an object', () => {
  test('finds groups, with the rules by which their records match', async () => {
    const [a, b] = [await addCompany('Acme Trading'), await addCompany('Acme Trading GmbH')]
    await addAttribute('companies', { name: 'Website', type: 'text' })
    const c = await addCompany('ACME Tradings', { website: 'acme.com' })
    const d = await addCompany('Something else', { website: 'www.acme.com' })
    const [e, f] = [await addCompany('Globex Sisters'), await addCompany('Globex Sister')]
    await addCompany('Initech')
    expect(await search('companies')).toMatchObject({ state: 'running', seen: 0, total: 7, foundAt: null })
    expect(await lastSearch('companies')).toMatchObject({ state: 'completed', seen: 7 })
    expect(await groupsOf('companies')).toEqual([
      { ids: [a.id, b.id, c.id, d.id], reasons: ['same_domain.website', 'similar_name.name'] },
      { ids: [e.id, f.id], reasons: ['similar_name.name'] },
    ])
    expect(await list('companies', '?limit=1&offset=1')).toMatchObject({
      groups: [{ records: [{ id: e.id }, { id: f.id }] }],
      pagination: { total: 2, limit: 1, offset: 1 },
    })
  })

  test('compares people of one company by similar names, and people without a company by equal names', async () => {
    const [acme, globex] = [await addCompany('Acme'), await addCompany('Globex')]
    const kat = await add('people', { name: 'Katherine Johnson', company: acme.id })
    const typo = await add('people', { name: 'Katharine Johnson', company: acme.id })
    await add('people', { name: 'Grace Hopper', company: acme.id })
    await add('people', { name: 'Grace Hopper', company: globex.id })
    const withoutCompany = await add('people', { name: 'Ada Lovelace' })
    const withCompany = await add('people', { name: 'ada lovelace', company: globex.id })
    await search('people')
    const reasons = ['similar_name.name.company']
    expect(await groupsOf('people')).toEqual([
      { ids: [kat.id, typo.id], reasons },
      { ids: [withoutCompany.id, withCompany.id], reasons },
    ])
  })

  test('keeps a dismissed group dismissed, until another record joins it', async () => {
    const [a, b] = [await addCompany('Acme Trading'), await addCompany('Acme Tradings')]
    await search('companies')
    const [group] = (await list('companies')).groups
    const dismissed = await dismiss('companies', group?.id ?? '')
    expect(dismissed.body).toMatchObject({ id: group?.id, dismissedAt: expect.any(String) })
    expect(await groupsOf('companies')).toEqual([])
    await search('companies')
    expect(await groupsOf('companies')).toEqual([])
    expect(await groupsOf('companies', '?dismissed=true')).toMatchObject([{ ids: [a.id, b.id] }])
    const c = await addCompany('Acme Trading')
    await search('companies')
    expect(await groupsOf('companies')).toMatchObject([{ ids: [a.id, b.id, c.id] }])
    await dismiss('companies', group?.id ?? '', false)
    expect(await groupsOf('companies', '?dismissed=true')).toEqual([])
    expectError(await dismiss('companies', NO_SUCH), 'not_found')
    expectError(await dismiss('companies', 'no-id'), 'not_found')
  })

  test('omits groups with only one remaining record, and deleted records of other groups', async () => {
    const names = ['Acme Trading', 'Acme Tradings', 'Acme Trading']
    const [a, b, c] = [
      await addCompany(names[0] ?? ''),
      await addCompany(names[1] ?? ''),
      await addCompany(names[2] ?? ''),
    ]
    await search('companies')
    await org.delete(`/objects/companies/records/${b.id}`)
    expect(await groupsOf('companies')).toMatchObject([{ ids: [a.id, c.id] }])
    await org.delete(`/objects/companies/records/${a.id}`)
    expect(await list('companies')).toMatchObject({ groups: [], pagination: { total: 0 } })
  })

  test('runs only once at a time, and can be cancelled', async () => {
    await addCompany('Acme')
    await addCompany('Acme')
    const path = '/objects/companies/duplicate-search'
    expect(await lastSearch('companies')).toBeNull()
    expect((await org.post<LastDuplicateSearch>(`${path}/cancel`)).body).toEqual({ search: null })
    const first = await org.post<DuplicateSearch>(path)
    const second = await org.post<DuplicateSearch>(path)
    expect(second.body.id).toBe(first.body.id)
    const cancelled = await org.post<LastDuplicateSearch>(`${path}/cancel`)
    expect(cancelled.body.search).toMatchObject({ id: first.body.id, state: 'cancelled' })
    await drain()
    expect(await groupsOf('companies')).toEqual([])
    await search('companies')
    expect(await groupsOf('companies')).toHaveLength(1)
    expect((await org.post<LastDuplicateSearch>(`${path}/cancel`)).body.search?.state).toBe('completed')
  })

  test('starts again after it was stopped', async () => {
    const { objectId } = await addCompany('Acme')
    await addCompany('Acme')
    const { body } = await org.post<DuplicateSearch>('/objects/companies/duplicate-search')
    const { obj } = await service.ctx.models.get(service.ctx.db, org.org, objectId)
    const ref = { org: org.org, obj, objectId, id: body.id }
    await expect(searchForDuplicates(service.ctx, ref, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(await lastSearch('companies')).toMatchObject({ state: 'running' })
    await drain()
    expect(await groupsOf('companies')).toHaveLength(1)
  })

  test('is repeated a day later if records have changed since', async () => {
    await addCompany('Acme Trading')
    await search('companies')
    const repeat = async () => {
      await repeatSearches(service.ctx)
      await drain()
      return groupsOf('companies')
    }
    await addCompany('Acme Trading')
    expect(await repeat()).toEqual([])
    await service.ctx.db.run(sql`
      update duplicate_searches set finished_at = finished_at - interval '25 hours' where org = ${org.org}`)
    expect(await repeat()).toHaveLength(1)
    const last = await lastSearch('companies')
    await service.ctx.db.run(sql`
      update duplicate_searches set finished_at = finished_at - interval '25 hours' where org = ${org.org}`)
    await repeat()
    expect((await lastSearch('companies'))?.id).toBe(last?.id)
  })

  test('needs an active object', async () => {
    await org.post('/objects', { pluralName: 'Things', singularName: 'Thing', slug: 'things' })
    await org.patch('/objects/things', { isActive: false })
    expectError(await org.post('/objects/things/duplicate-search'), 'object_inactive')
  })

  test('ends if the object was deleted', async () => {
    await org.post('/objects', { pluralName: 'Things', singularName: 'Thing', slug: 'things' })
    await org.post('/objects/things/duplicate-search')
    await org.delete('/objects/things')
    await drain()
    expectError(await org.get('/objects/things/duplicate-search'), 'not_found')
  })
})
