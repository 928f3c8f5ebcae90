import { describe, expect, test } from 'vitest'
import type { SearchExplanation } from '../../../contract/record-explanation.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, createRecord, expectError } from '../../test/factories.ts'
import { indexEmptyObject } from './indexed.fixture.ts'

const service = await buildTestService()
const EXPLAIN = '/objects/companies/records/search/explain'
const acme = { attributeSlug: 'name', operator: 'startsWith', value: 'a' }

describe('POST /objects/:objectId/records/search/explain', () => {
  test('shows a full scan of a small object', async () => {
    const mia = await (await service.org()).member('member')
    await createRecord(mia, 'companies', { name: 'Acme' })
    const body = bodyOf(await mia.post<SearchExplanation>(EXPLAIN, { filters: [acme] }))
    expect(body).toMatchObject({ index: 'none', records: null, total: 1, paths: [{ path: 'full_scan' }] })
    expect(body.filters).toMatchObject([
      { attributeSlug: 'name', operator: 'startsWith', countedBy: 'nothing' },
    ])
  })

  test('shows the matches that index rows and counters find', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'presence', keepsMissing: false })
    for (const name of ['Acme', 'Alpha', 'Beta']) await createRecord(mia, 'companies', { name })
    const filter = {
      and: [acme, { attributeSlug: 'address', operator: 'isEmpty', value: 'true' }, { or: [acme, acme] }],
    }
    const { body } = await mia.post<SearchExplanation>(EXPLAIN, { filter })
    expect(body).toMatchObject({ index: 'ready', records: 3, total: 2 })
    expect(body.filters).toMatchObject([
      { attributeSlug: 'name', found: 2, countedBy: 'index', hasIndex: true },
      { attributeSlug: 'address', found: 3, isExact: true, countedBy: 'counters', hasIndex: false },
      { attributeSlug: null, operator: null, found: 4, isExact: false, countedBy: 'index' },
    ])
    expect(body.paths.length).toBeGreaterThan(0)
    const none = { filters: [{ attributeSlug: 'address', operator: 'isNotEmpty', value: 'true' }] }
    expect((await mia.post<SearchExplanation>(EXPLAIN, none)).body).toMatchObject({
      total: 0,
      paths: [{ path: 'empty' }],
    })
  })

  test('shows head scans and single passes', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'presence', keepsMissing: false })
    for (const name of ['Acme', 'Alpha', 'Beta']) await createRecord(mia, 'companies', { name })
    const pathsOf = async (search: object) => {
      const filters = [{ attributeSlug: 'name', operator: 'contains', value: 'eta' }]
      const { body } = await mia.post<SearchExplanation>(EXPLAIN, { filters, ...search })
      return body.paths.map(({ path, isTaken }) => [path, isTaken])
    }
    expect(await pathsOf({})).toEqual([['single_pass', true]])
    expect(await pathsOf({ count: false })).toEqual([
      ['head_scan', true],
      ['single_pass', true],
    ])
    const common = [{ attributeSlug: 'name', operator: 'contains', value: 'a' }]
    expect(await pathsOf({ filters: common, count: false, limit: 2 })).toEqual([
      ['head_scan', true],
      ['single_pass', false],
    ])
    expect(await pathsOf({ filters: [acme], count: false })).toEqual([['fetch_and_sort', true]])
    expect(await pathsOf({ filters: [acme], offset: 5 })).toEqual([['single_pass', true]])
    const city = { attributeSlug: 'address', operator: 'isNotEmpty', value: 'true' }
    expect(await pathsOf({ filters: [city] })).toEqual([['empty', true]])
    const { body } = await mia.post<SearchExplanation>(EXPLAIN, { filters: common, count: false, limit: 2 })
    expect(body.paths[0]).toMatchObject({ bound: 600, filter: null })
    expect(body.paths[0]?.cost).toBeGreaterThan(0)
    const parts = ['eta', 'lph', 'cme', 'none'].map((value) => ({
      attributeSlug: 'name',
      operator: 'contains',
      value,
    }))
    const any = await mia.post<SearchExplanation>(EXPLAIN, { filter: { or: parts }, count: false })
    expect(any.body.paths).toMatchObject([{ path: 'head_scan', bound: 200 }, { path: 'single_pass' }])
  })

  test('shows an offset seek for a deep offset', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'values', keepsMissing: false })
    for (const name of ['Beta', 'Alpha', 'Acme']) await createRecord(mia, 'companies', { name })
    const pathOf = async (search: object) =>
      (await mia.post<SearchExplanation>(EXPLAIN, search)).body.paths.map(({ path }) => path)
    expect(await pathOf({ offset: 2001 })).toEqual(['offset_seek'])
    expect(await pathOf({ offset: 2001, sort: { field: 'updated_at' } })).toEqual(['offset_seek'])
    expect(await pathOf({ offset: 2000 })).toEqual(['ordered_scan'])
    const above = { attributeSlug: 'name', operator: 'isNotEmpty', value: 'true' }
    expect(await pathOf({ filters: [above], sort: { field: 'name' }, offset: 1 })).toEqual([
      'index_only_scan',
    ])
  })

  test('shows an index-only scan only if counts prove that no record has to be read', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'values', keepsMissing: false })
    for (const name of ['Beta', 'Alpha', 'Acme']) await createRecord(mia, 'companies', { name })
    const firstOf = async (operator: string, value: string | string[]) => {
      const filters = [{ attributeSlug: 'name', operator, value }]
      const search = { filters, sort: { field: 'updated_at' } }
      return (await mia.post<SearchExplanation>(EXPLAIN, search)).body.paths[0]?.path
    }
    expect(await firstOf('equals', 'Acme')).toBe('index_only_scan')
    expect(await firstOf('notEquals', 'Acme')).toBe('index_only_scan')
    expect(await firstOf('in', ['Acme', 'Beta'])).toBe('ordered_scan')
  })

  test('rejects what search rejects, and returns 404 for an object of another organization', async () => {
    const [mia, other] = [await (await service.org()).member('member'), await service.org()]
    expectError(await mia.post(EXPLAIN, { filter: { and: [] } }), 'invalid_filter')
    expectError(await mia.post(EXPLAIN, { limit: 101 }), 'validation_error')
    const { body } = await other.get('/objects/companies')
    expectError(await mia.post(`/objects/${body['id']}/records/search/explain`, {}), 'not_found')
  })
})
