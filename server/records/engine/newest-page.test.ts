import type { Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { compileFilter } from '../filters/to-sql.ts'
import { sortOf } from '../rows/sorting.ts'
import { byPageOrder, type KeyedRecord, selectSlice } from './newest-page.ts'

const service = await buildTestService()
const { db, models } = service.ctx

const STAGES = ['Lead', 'Won', 'Lead', 'Lead', 'Won', 'Lead']

async function deals() {
  const org = await service.org()
  const records = STAGES.map((stage, n) => ({ data: { name: `Deal ${STAGES.length - n}`, stage } }))
  await org.post('/objects/deals/records/bulk', { records })
  const model = await models.get(db, org.org, 'deals')
  const attribute = model.attributes.get('stage')
  if (!attribute) throw new Error('Deals have no stage')
  const locale = { country: 'US', currency: 'USD' }
  const filter = compileFilter({ attribute, operator: 'equals', value: 'Lead' }, locale)
  if ('problem' in filter) throw new Error(filter.problem.message)
  return { org, model, filter }
}

const nameOf = ({ record }: KeyedRecord) => JSON.parse(record.data).name

test('slices go from the newest record to the oldest, each in sort order', async () => {
  const { model, filter } = await deals()
  const sort = sortOf(model, { field: 'name', order: 'asc', path: 'sort' })
  const query = { filters: [filter], sort, limit: 10 }
  const first = await selectSlice(db, model, query, { before: undefined, size: 4 })
  expect(first.found.map(nameOf)).toEqual(['Deal 1', 'Deal 3', 'Deal 4'])
  expect(first.looked).toBe(4)
  const second = await selectSlice(db, model, query, { before: first.last, size: 4 })
  expect(second.found.map(nameOf)).toEqual(['Deal 6'])
  expect(second.looked).toBe(2)
  const short = await selectSlice(db, model, { ...query, limit: 1 }, { before: undefined, size: 4 })
  expect(short.found.map(nameOf)).toEqual(['Deal 1', 'Deal 3'])
})

test('a record that is created between the statements does not push another record out of the slice', async () => {
  const { org, model, filter } = await deals()
  const sort = sortOf(model, { field: 'name', order: 'asc', path: 'sort' })
  const meanwhile: Db = {
    ...db,
    async one<Row>(query: Sql) {
      const row = await db.one<Row>(query)
      await org.post('/objects/deals/records', { data: { name: 'Deal 0', stage: 'Won' } })
      return row
    },
  }
  const query = { filters: [filter], sort, limit: 10 }
  const slice = await selectSlice(meanwhile, model, query, { before: undefined, size: 4 })
  expect(slice.found.map(nameOf)).toEqual(['Deal 1', 'Deal 3', 'Deal 4'])
  expect(slice.looked).toBe(4)
})

test.each([
  ['asc', 'text', ['a', 'b', 'é', null]],
  ['desc', 'text', ['é', 'b', 'a', null]],
  ['asc', 'numeric', ['9', '10', '10.5', null]],
  ['desc', 'numeric', ['10.5', '10', '9', null]],
] as const)('sorts the records of several slices: %s, %s', (order, type, keys) => {
  const record = (n: number) => ({ id: `${n}`, micros: 0, version: 1, data: '{}' })
  const sort = { field: 'x', order, key: { value: {} as never, type, nullable: true } }
  const all = keys.map((key, n) => ({ key, record: record(n) }))
  expect(all.toReversed().sort(byPageOrder(sort))).toEqual(all)
})
