// A page of large rows has fewer rows than its limit, and the next pages have the rest.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { newId } from '../base/id.ts'
import { indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { buildTestService } from './build-app.ts'
import type { Org } from './factories.ts'

const service = await buildTestService()
const { ctx } = service

const RECORDS = '/objects/companies/records'
/** 25 such texts are larger than a page. */
const TEXT = 'x'.repeat(200_000)
const COUNT = 25
const PAGE_BYTES = 4 * 1024 ** 2

interface Page {
  pagination: { total?: number; limit: number; offset: number; nextCursor?: string }
}
type Row = { id: string }

async function makeCompanies(org: Org): Promise<string[]> {
  const records = Array.from({ length: COUNT }, (_, nr) => ({ data: { name: `${nr} ${TEXT}` } }))
  const { body } = await org.post<{ results: Row[] }>(`${RECORDS}/bulk`, { records })
  return body.results.map(({ id }) => id)
}

let kept: Promise<{ org: Org; ids: string[] }> | undefined

/** An organization with large companies, for tests that only read them. */
function largeCompanies() {
  kept ??= service.org().then(async (org) => ({ org, ids: await makeCompanies(org) }))
  return kept
}

type Ask = (page: { offset?: number; cursor?: string }) => Promise<Page & Record<string, unknown>>

const getting =
  (org: Org, path: string): Ask =>
  async (page) => {
    const query = Object.entries(page).map(([name, value]) => `&${name}=${value}`)
    return (await org.get<Page>(`${path}?limit=100${query.join('')}`)).body as Awaited<ReturnType<Ask>>
  }

/** Reads all pages in order. @param next returns the parameters of the page after this one */
async function pagesOf(ask: Ask, next: (page: Page) => { offset?: number; cursor?: string }) {
  const pages = [await ask({})]
  for (let last = pages[0]; last?.pagination.nextCursor !== undefined; last = pages.at(-1))
    pages.push(await ask(next(last)))
  return pages
}

async function expectShortPages(rows: string, ask: Ask, count = COUNT): Promise<void> {
  const byCursor = await pagesOf(ask, ({ pagination: { nextCursor = '' } }) => ({ cursor: nextCursor }))
  const byOffset = await pagesOf(ask, ({ pagination: { offset, limit } }) => ({ offset: offset + limit }))
  const idsOf = (pages: readonly Record<string, unknown>[]) =>
    pages.flatMap((page) => (page[rows] as Row[]).map(({ id }) => id))
  expect(byCursor.length).toBeGreaterThan(1)
  expect(new Set(idsOf(byCursor)).size).toBe(count)
  expect(idsOf(byCursor)).toHaveLength(count)
  expect(idsOf(byOffset)).toEqual(idsOf(byCursor))
  for (const page of byCursor) {
    const shown = page[rows] as Row[]
    expect(JSON.stringify(shown).length).toBeLessThan(PAGE_BYTES + 1_200_000)
    expect(page.pagination.total).toBe(count)
    if (page.pagination.nextCursor !== undefined) expect(page.pagination.limit).toBe(shown.length)
  }
}

async function indexedCompanies() {
  const org = await service.org()
  const { body } = await org.get<Row>('/objects/companies')
  await indexEmptyObject(ctx.db, body.id, { texts: 'presence', keepsMissing: false })
  await makeCompanies(org)
  return { org }
}

describe('large rows are split into shorter pages', () => {
  test.each(['a small object', 'a large object'])('of the records of %s', async (kind) => {
    const { org } = await (kind === 'a large object' ? indexedCompanies() : largeCompanies())
    await expectShortPages('records', getting(org, RECORDS))
    const search: Ask = async (page) => {
      const sort = { field: 'name', order: 'asc' }
      return (await org.post<Page>(`${RECORDS}/search`, { sort, limit: 100, ...page })).body as Awaited<
        ReturnType<Ask>
      >
    }
    await expectShortPages('records', search)
  })

  test('for simultaneous requests too', async () => {
    const { org } = await largeCompanies()
    const pages = await Promise.all(Array.from({ length: 3 }, () => org.get<Page>(`${RECORDS}?limit=50`)))
    for (const { body } of pages) {
      expect(body.pagination).toEqual(pages[0]?.body.pagination)
      expect(body.pagination.limit).toBeLessThan(COUNT)
    }
  })

  test('of the trash', async () => {
    const org = await service.org()
    const ids = await makeCompanies(org)
    await org.delete(`${RECORDS}/bulk`, { ids })
    await expectShortPages('records', getting(org, '/objects/companies/trash'))
  })

  test('of the history of a record', async () => {
    const org = await service.org()
    const { body } = await org.post<Row>(RECORDS, { data: { name: 'Acme' } })
    for (let nr = 0; nr < 14; nr++)
      await org.patch(`${RECORDS}/${body.id}`, { data: { name: `${nr} ${TEXT}` } })
    await expectShortPages('entries', getting(org, `${RECORDS}/${body.id}/history`), 15)
  })

  test('of activities', async () => {
    const org = await service.org()
    for (let nr = 0; nr < 45; nr++)
      await org.post('/activities', { title: `Call ${nr}`, summary: 'y'.repeat(100_000) })
    await expectShortPages('activities', getting(org, '/activities'), 45)
  })

  test('of groups of duplicates, and each group is complete', async () => {
    const org = await service.org()
    const ids = [...(await makeCompanies(org)), ...(await makeCompanies(org))]
    const groups = Array.from({ length: 10 }, (_, nr) => ({
      id: newId(),
      records: ids.slice(nr * 5, (nr + 1) * 5),
    }))
    for (const { id, records } of groups)
      await ctx.db.run(sql`
        insert into duplicate_groups (org, obj, id, records, rules)
        select o.org, o.obj, ${id}, ${records}::uuid[], array['similar_name.name']
        from objects o where o.org = ${org.org} and o.slug = 'companies'`)
    const ask = getting(org, '/objects/companies/duplicates')
    await expectShortPages('groups', ask, 10)
    for (const group of (await ask({}))['groups'] as { records: Row[] }[])
      expect(group.records).toHaveLength(5)
  })

  test('of events', async () => {
    const { org, ids } = await largeCompanies()
    type Feed = { events: { recordId: string }[]; nextAfter: string }
    const read = async (after: string) =>
      (await org.get<Feed>(`/events?types=record.created&limit=100${after}`)).body
    const pages: Feed[] = []
    const readOn = async () => {
      const last = pages.at(-1)
      const page = await read(last ? `&after=${last.nextAfter}` : '')
      if (page.events.length > 0) pages.push(page)
      return pages.flatMap(({ events }) => events)
    }
    // Other tests may briefly hold transactions open, and the feed returns later events only after them.
    await expect.poll(readOn, { interval: 20 }).toHaveLength(ids.length)
    expect((await read('')).events.length).toBeLessThan(ids.length)
    const found = pages.flatMap(({ events }) => events.map(({ recordId }) => recordId))
    expect(found.toSorted()).toEqual(ids.toSorted())
  })
})
