// A page that takes several statements is read in one snapshot, also when records are written between them.
import { expect, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { filtersOfSearch } from '../filters/input.ts'
import { sortOf } from '../rows/sorting.ts'
import { selectIndexedPage } from './executor.ts'
import { buildThings, idsOf } from './things.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx
const LOCALE = { country: 'US', currency: 'USD' }

type Filters = NonNullable<Parameters<typeof filtersOfSearch>[0]['filters']>

/** The same database, which runs `interrupt` once, after the number of statements in `behind`. */
function interrupted(on: Db, behind: number, interrupt: () => Promise<void>): Db {
  let statements = 0
  const wrap = (one: Db): Db => ({
    ...one,
    snapshot: (work) => one.snapshot((tx) => work(wrap(tx))),
    async maybeOne<Row>(query: Parameters<Db['maybeOne']>[0]) {
      const row = await one.maybeOne<Row>(query)
      statements++
      if (statements === behind) await interrupt()
      return row
    },
  })
  return wrap(on)
}

test.each([
  { what: 'gets a value', before: null, after: 5 },
  { what: 'loses its value', before: 5, after: null },
])('a record that $what between two statements is on the page once', async ({ before, after }) => {
  const things = await buildThings(service, {
    as: { texts: 'values', keepsMissing: true },
    records: 8,
  })
  const [id] = things.ids
  const patch = async (a_number: number | null) => {
    expect((await things.org.patch(`/objects/things/records/${id}`, { data: { a_number } })).status).toBe(200)
  }
  const pageOf = async (filters: Filters, behind: number) => {
    await patch(before)
    const page = await selectIndexedPage(
      interrupted(db, behind, () => patch(after)),
      things.model,
      {
        filters: filtersOfSearch({ filters }, things.model, LOCALE),
        sort: sortOf(things.model, { field: 'a_number', order: 'asc', path: 'sort' }),
        ...{ position: undefined, limit: 50, offset: 0, count: true },
      },
    )
    if (typeof page === 'symbol') throw new Error('The model is stale')
    return page
  }
  for (const filters of [[], [{ attributeSlug: 'a_email', operator: 'notContains', value: 'absent' }]])
    for (const behind of [1, 2, 3, 4]) {
      const page = await pageOf(filters, behind)
      expect(page.records).toHaveLength(page.total ?? -1)
      expect(idsOf(page).filter((one) => one === id)).toEqual([id])
    }
})
