import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { RecordList } from '../../../contract/records.ts'
import { setAttributeActive } from '../../model/attributes/service.ts'
import { authorOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'
import { createPageReads } from './page-batches.ts'

const service = await sharedTestService()
const { ctx } = service

const COMPANIES = '/objects/companies/records'

async function makeCompanies(org: Org, count: number): Promise<void> {
  const records = Array.from({ length: count }, (_, n) => ({
    data: { name: `${org.org} ${n}`, domain: `c${n}.example.com` },
  }))
  expect((await org.post(`${COMPANIES}/bulk`, { records })).status).toBe(200)
}

const UNBATCHED = { records: [], total: undefined, next: undefined }
const unbatched = () => Promise.resolve(UNBATCHED)

const list = async (org: Org, query = '') => (await org.get<RecordList>(`${COMPANIES}${query}`)).body

describe('concurrent requests for first pages', () => {
  test('return the pages of each organization, with their totals, limits and next pages', async () => {
    const orgs = await Promise.all([service.org(), service.org(), service.org()])
    const counts = [7, 0, 30]
    for (const [at, org] of orgs.entries()) if (counts[at]) await makeCompanies(org, counts[at])
    const queries = ['', '?limit=5', '?limit=30&count=false', '?limit=1']
    const asked = orgs.flatMap((org) => queries.map((query) => ({ org, query })))
    const together = await Promise.all(asked.map(({ org, query }) => list(org, query)))
    for (const [at, { org, query }] of asked.entries()) expect(together[at]).toEqual(await list(org, query))
    const [all, five, uncounted, one] = together.slice(8)
    expect(all?.records.map(({ data }) => data['name'])).toEqual(
      Array.from({ length: 30 }, (_, n) => `${orgs[2].org} ${29 - n}`),
    )
    expect([all, five, uncounted, one].map((page) => page?.pagination.total)).toEqual([30, 30, undefined, 30])
    expect([all, five, uncounted, one].map((page) => page?.pagination.nextCursor !== undefined)).toEqual([
      false,
      true,
      false,
      true,
    ])
    const cursor = five?.pagination.nextCursor
    expect((await list(orgs[2], `?limit=5&cursor=${cursor}`)).records).toEqual(all?.records.slice(5, 10))
  })

  test('return no value of an attribute that another process has just deactivated', async () => {
    const [org, other] = [await service.org(), await service.org()]
    for (const one of [org, other]) await makeCompanies(one, 2)
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const attributeId = model.attributes.get('domain')?.id ?? ''
    await setAttributeActive(ctx, authorOf(org), { objectId: model.id, attributeId, isActive: false })
    const [mine, again, theirs] = await Promise.all([list(org), list(org), list(other)])
    for (const page of [mine, again])
      expect(page.records.map(({ data }) => Object.keys(data))).toEqual([['name'], ['name']])
    expect(theirs.records.map(({ data }) => Object.keys(data).sort())).toEqual([
      ['domain', 'name'],
      ['domain', 'name'],
    ])
  })

  test('return the total of a large object from its counters, without deleted records', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const { id } = await ctx.models.get(ctx.db, org.org, 'companies')
    await indexEmptyObject(ctx.db, id, { texts: 'values', keepsMissing: false })
    for (const one of [org, other]) await makeCompanies(one, 9)
    const { records } = await list(org)
    await org.delete(`${COMPANIES}/${records[3]?.id}`)
    const pages = await Promise.all([list(org), list(org, '?limit=2'), list(other, '?limit=3')])
    expect(pages.map(({ pagination }) => pagination.total)).toEqual([8, 8, 9])
    expect(pages[0].records).toEqual(records.toSpliced(3, 1))
    expect(pages[1].records).toEqual(records.slice(0, 2))
  })

  test('return 404 for a missing object, and the pages of the others', async () => {
    const [org, other] = [await service.org(), await service.org()]
    await makeCompanies(org, 1)
    const { id } = await ctx.models.get(ctx.db, org.org, 'companies')
    const [mine, foreign, missing] = await Promise.all([
      list(org),
      other.get(`/objects/${id}/records`),
      org.get('/objects/nothing/records'),
    ])
    expect(mine.records).toHaveLength(1)
    for (const reply of [foreign, missing]) expectError(reply, 'not_found')
  })

  test('read objects with long records by separate statements from the second time on', async () => {
    const org = await service.org()
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const records = Array.from({ length: 40 }, (_, n) => ({
      data: { name: `${n} ${'n'.repeat(9000)}` },
    }))
    expect((await org.post(`${COMPANIES}/bulk`, { records })).body['created']).toBe(40)
    const reads = createPageReads(ctx.db)
    const ask = () => {
      const page = { model, limit: 50, count: true, scope: undefined }
      return Promise.all([reads.read(page, unbatched), reads.read(page, unbatched)])
    }
    expect((await ask()).map((page) => page.records.length)).toEqual([40, 40])
    expect(await ask()).toEqual([UNBATCHED, UNBATCHED])
  })

  test('share a statement for sixteen pages of an organization, and use separate statements if it fails', async () => {
    const org = await service.org()
    await makeCompanies(org, 3)
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    let statements = 0
    const counting = (fails: boolean) => ({
      ...ctx.db,
      inScope: () => ({
        ...ctx.db,
        many: <Row>(query: Parameters<typeof ctx.db.many>[0]) => {
          statements++
          return ctx.db.many<Row>(fails ? sql`select 1 / 0` : query)
        },
      }),
    })
    const ask = (fails: boolean) => {
      const reads = createPageReads(counting(fails))
      const page = { model, limit: 2, count: true, scope: undefined }
      return Promise.all(Array.from({ length: 20 }, () => reads.read(page, unbatched)))
    }
    const pages = await ask(false)
    expect(statements).toBe(2)
    expect(pages.map((page) => page.total)).toEqual(Array(20).fill(3))
    expect(pages[0]?.records).toHaveLength(2)
    expect(await ask(true)).toEqual(Array(20).fill(UNBATCHED))
  })

  test('read equal pages once', async () => {
    const org = await service.org()
    await makeCompanies(org, 3)
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const reads = createPageReads(ctx.db)
    const ask = (limit: number, count: boolean) =>
      reads.read({ model, limit, count, scope: undefined }, unbatched)
    const [two, uncounted, one, again] = await Promise.all([
      ask(2, true),
      ask(2, false),
      ask(1, true),
      ask(2, true),
    ])
    expect(again).toBe(two)
    expect([two, uncounted, one].map((page) => [page.records.length, page.total])).toEqual([
      [2, 3],
      [2, undefined],
      [1, 3],
    ])
  })
})
