import { expect, test } from 'vitest'
import { TimeLimitError } from '../../db/lease.ts'
import { buildTestService } from '../../test/build-app.ts'
import { sortOf } from '../rows/sorting.ts'
import { selectQuickPage } from './quick-page.ts'

const service = await buildTestService()
const { db, models, config } = service.ctx

test('pages after the first one are read without the time limit of quick searches, with their total', async () => {
  const org = await service.org()
  const records = ['Acme', 'Beta', 'Core'].map((name) => ({ data: { name } }))
  await org.post('/objects/companies/records/bulk', { records })
  const model = await models.get(db, org.org, 'companies')
  const late = { config, db: { ...db, within: () => Promise.reject(new TimeLimitError(1, false)) } }
  const sort = sortOf(model, { field: 'created_at', order: 'asc', path: 'sort' })
  const query = { filters: [], sort, position: undefined, limit: 2, count: true }
  const first = await selectQuickPage(late, model, { ...query, offset: 0 })
  expect(first).toMatchObject({ records: [], isComplete: false, searched: 0 })
  const second = await selectQuickPage(late, model, { ...query, offset: 2 })
  expect(second).toMatchObject({ total: 3, isComplete: true })
  expect(second.records.map(({ data }) => JSON.parse(data).name)).toEqual(['Core'])
})
