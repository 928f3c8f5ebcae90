// Pages of filters along references. A page with its total takes a single pass for few matches, and a count and another path
// for many. A page without its total is read in its order if many targets match, and by links if few do.
import { describe, expect, test } from 'vitest'
import type { SearchExplanation } from '../../../contract/record-explanation.ts'
import type { RecordList } from '../../../contract/records.ts'
import { buildTestService } from '../../test/build-app.ts'
import { indexEmptyObject } from './indexed.fixture.ts'
import { LINKED_PASS_MAX } from './plan/cost-model.ts'

const service = await buildTestService()
const PEOPLE = '/objects/people/records'
const MANY = LINKED_PASS_MAX + 50

const asked = (company: string) => ({
  filters: [{ attributeSlug: 'company.name', operator: 'equals', value: company }],
})

const search = async (body: object) => (await org.post<RecordList>(`${PEOPLE}/search`, body)).body

const takenPaths = async (body: object) =>
  (await org.post<SearchExplanation>(`${PEOPLE}/search/explain`, body)).body.paths.flatMap(
    ({ path, isTaken }) => (isTaken ? [path] : []),
  )

const surnames = ({ records }: RecordList) =>
  records.map(({ data }) => (data as { name: { lastName: string } }).name.lastName)

async function createPeople(company: string, count: number): Promise<void> {
  const made = await org.post<{ id: string }>('/objects/companies/records', { data: { name: company } })
  const people = Array.from({ length: count }, (_, nr) => ({
    data: { name: { firstName: company, lastName: String(nr) }, company: made.body.id },
  }))
  for (let from = 0; from < count; from += 100)
    expect(await org.post(`${PEOPLE}/bulk`, { records: people.slice(from, from + 100) })).toMatchObject({
      body: { failed: [] },
    })
}

const org = await service.org()
for (const slug of ['companies', 'people']) {
  const { body } = await org.get<{ id: string }>(`/objects/${slug}`)
  await indexEmptyObject(service.ctx.db, body.id, { texts: 'values', keepsMissing: false })
}
await createPeople('Acme', MANY)
await createPeople('Globex', 4)

describe('a filter by the name of a company with', () => {
  test('many people takes a single pass and then another path, and gives the total', async () => {
    const page = await search({ ...asked('Acme'), limit: 3 })
    expect(page.pagination).toMatchObject({ total: MANY })
    expect(surnames(page)).toEqual([MANY - 1, MANY - 2, MANY - 3].map(String))
    const next = await search({ ...asked('Acme'), limit: 3, cursor: page.pagination.nextCursor })
    expect(next.pagination).toMatchObject({ total: MANY })
    expect(surnames(next)).toEqual([MANY - 4, MANY - 5, MANY - 6].map(String))
    const [first, ...others] = await takenPaths({ ...asked('Acme'), limit: 3 })
    expect(first).toBe('single_pass')
    expect(others).toHaveLength(1)
  })

  test('few people takes only a single pass', async () => {
    const page = await search({ ...asked('Globex'), limit: 3 })
    expect(page.pagination).toMatchObject({ total: 4 })
    expect(surnames(page)).toEqual(['3', '2', '1'])
    expect(await takenPaths(asked('Globex'))).toEqual(['single_pass'])
  })

  test('no people, or of an unknown company, finds nothing', async () => {
    await createPeople('Empty', 0)
    for (const name of ['Empty', 'Unknown'])
      expect(await search(asked(name))).toMatchObject({ records: [], pagination: { total: 0 } })
  })
})

test('a filter distinguishes companies whose names differ only in case', async () => {
  await createPeople('ACME', 2)
  expect((await search(asked('ACME'))).pagination).toMatchObject({ total: 2 })
  expect((await search(asked('Acme'))).pagination).toMatchObject({ total: MANY })
})

describe('a page without its total', () => {
  const pageOnly = (company: string) => ({ ...asked(company), limit: 3, count: false })

  test('is read in its order if a large part of the companies matches, even if few people refer to them', async () => {
    for (const [company, names] of [
      ['Acme', [MANY - 1, MANY - 2, MANY - 3]],
      ['Globex', [3, 2, 1]],
    ] as const) {
      expect(surnames(await search(pageOnly(company)))).toEqual(names.map(String))
      expect(await takenPaths(pageOnly(company))).toEqual(['ordered_scan'])
    }
  })

  test('is read by links if a small part of the companies matches', async () => {
    const companies = Array.from({ length: 100 }, (_, nr) => ({ data: { name: `Other ${nr}` } }))
    await org.post('/objects/companies/records/bulk', { records: companies })
    expect(surnames(await search(pageOnly('Globex')))).toEqual(['3', '2', '1'])
    expect(await takenPaths(pageOnly('Globex'))).toEqual(['fetch_and_sort'])
  })
})
