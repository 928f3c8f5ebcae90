import { describe, expect, test } from 'vitest'
import type { SearchExplanation } from '../../../contract/record-explanation.ts'
import { buildTestService } from '../../test/build-app.ts'
import { expectError } from '../../test/factories.ts'
import { make } from '../sets.fixture.ts'
import { indexEmptyObject } from './indexed.fixture.ts'

const service = await buildTestService()
const EXPLAIN = '/objects/companies/records/search/explain'
const acme = { attributeSlug: 'name', operator: 'startsWith', value: 'a' }

describe('POST /objects/:objectId/records/search/explain', () => {
  test('tells of a small object that it is gone through', async () => {
    const mia = await (await service.org()).member('member')
    await make(mia, 'companies', { name: 'Acme' })
    const { body, status } = await mia.post<SearchExplanation>(EXPLAIN, { filters: [acme] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ index: 'none', records: null, total: 1, ways: [{ way: 'scan' }] })
    expect(body.filters).toMatchObject([
      { attributeSlug: 'name', operator: 'startsWith', countedBy: 'nothing' },
    ])
  })

  test('tells what index rows and counters give', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'presence', keepsMissing: false })
    for (const name of ['Acme', 'Alpha', 'Beta']) await make(mia, 'companies', { name })
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
    expect(body.ways.length).toBeGreaterThan(0)
    const none = { filters: [{ attributeSlug: 'address', operator: 'isNotEmpty', value: 'true' }] }
    expect((await mia.post<SearchExplanation>(EXPLAIN, none)).body).toMatchObject({
      total: 0,
      ways: [{ way: 'nothing' }],
    })
  })

  test('tells of the look at the first records, and of what is gone through once', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'presence', keepsMissing: false })
    for (const name of ['Acme', 'Alpha', 'Beta']) await make(mia, 'companies', { name })
    const waysOf = async (search: object) => {
      const filters = [{ attributeSlug: 'name', operator: 'contains', value: 'eta' }]
      const { body } = await mia.post<SearchExplanation>(EXPLAIN, { filters, ...search })
      return body.ways.map(({ way, isTaken }) => [way, isTaken])
    }
    expect(await waysOf({})).toEqual([['once', true]])
    expect(await waysOf({ count: false })).toEqual([
      ['head', true],
      ['once', true],
    ])
    const common = [{ attributeSlug: 'name', operator: 'contains', value: 'a' }]
    expect(await waysOf({ filters: common, count: false, limit: 2 })).toEqual([['head', true]])
    expect(await waysOf({ filters: [acme], count: false })).toEqual([['gather', true]])
    expect(await waysOf({ filters: [acme], offset: 5 })).toEqual([['once', true]])
    const city = { attributeSlug: 'address', operator: 'isNotEmpty', value: 'true' }
    expect(await waysOf({ filters: [city] })).toEqual([['nothing', true]])
    const { body } = await mia.post<SearchExplanation>(EXPLAIN, { filters: common, count: false, limit: 2 })
    expect(body.ways[0]).toMatchObject({ bound: 600, filter: null })
    expect(body.ways[0]?.cost).toBeGreaterThan(0)
    const parts = ['eta', 'lph', 'cme', 'none'].map((value) => ({
      attributeSlug: 'name',
      operator: 'contains',
      value,
    }))
    const any = await mia.post<SearchExplanation>(EXPLAIN, { filter: { or: parts }, count: false })
    expect(any.body.ways).toMatchObject([{ way: 'head', bound: 200 }, { way: 'once' }])
  })

  test('tells of deep offsets how they are found', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'values', keepsMissing: false })
    for (const name of ['Beta', 'Alpha', 'Acme']) await make(mia, 'companies', { name })
    const wayOf = async (search: object) =>
      (await mia.post<SearchExplanation>(EXPLAIN, search)).body.ways.map(({ way }) => way)
    expect(await wayOf({ offset: 2001 })).toEqual(['ladder'])
    expect(await wayOf({ offset: 2001, sort: { field: 'updated_at' } })).toEqual(['ladder'])
    expect(await wayOf({ offset: 2000 })).toEqual(['walk'])
    const above = { attributeSlug: 'name', operator: 'isNotEmpty', value: 'true' }
    expect(await wayOf({ filters: [above], sort: { field: 'name' }, offset: 1 })).toEqual(['set'])
  })

  test('takes index rows alone where counts prove them, and not where records may have to be looked at', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body: companies } = await mia.get<{ id: string }>('/objects/companies')
    await indexEmptyObject(service.ctx.db, companies.id, { texts: 'values', keepsMissing: false })
    for (const name of ['Beta', 'Alpha', 'Acme']) await make(mia, 'companies', { name })
    const firstOf = async (operator: string, value: string | string[]) => {
      const filters = [{ attributeSlug: 'name', operator, value }]
      const search = { filters, sort: { field: 'updated_at' } }
      return (await mia.post<SearchExplanation>(EXPLAIN, search)).body.ways[0]?.way
    }
    expect(await firstOf('equals', 'Acme')).toBe('set')
    expect(await firstOf('notEquals', 'Acme')).toBe('set')
    expect(await firstOf('in', ['Acme', 'Beta'])).toBe('walk')
  })

  test('refuses what search refuses, and knows no object of another organization', async () => {
    const [mia, other] = [await (await service.org()).member('member'), await service.org()]
    expectError(await mia.post(EXPLAIN, { filter: { and: [] } }), 'invalid_filter')
    expectError(await mia.post(EXPLAIN, { limit: 101 }), 'validation_error')
    const { body } = await other.get('/objects/companies')
    expectError(await mia.post(`/objects/${body['id']}/records/search/explain`, {}), 'not_found')
  })
})
