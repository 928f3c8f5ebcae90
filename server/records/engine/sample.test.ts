// Statistics do not count the index rows of a common word.
import { expect, test } from 'vitest'
import type { SearchExplanation } from '../../../contract/record-explanation.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createRecord } from '../../test/factories.ts'
import { indexEmptyObject } from './indexed.fixture.ts'

const service = await buildTestService()
/** More records than a sample has. */
const PEOPLE = 700

test('a search for a common and a rare word reads the records of the rare one', async () => {
  const org = await service.org()
  const mia = await org.member('member')
  const { body } = await mia.get<{ id: string }>('/objects/people')
  await indexEmptyObject(service.ctx.db, body.id, { texts: 'presence', keepsMissing: false })
  await createRecord(mia, 'people', { name: 'Rosa Gruber', email: 'rosa@everywhere.example' })
  for (let from = 0; from < PEOPLE; from += 100) {
    const records = Array.from({ length: 100 }, (_, n) => ({
      data: { name: `Person ${from + n}`, email: `p${from + n}@everywhere.example` },
    }))
    await org.post('/objects/people/records/bulk', { records })
  }
  const asked = { q: 'everywhere.example gruber', sort: { field: 'name', order: 'asc' } }
  const explained = await mia.post<SearchExplanation>('/objects/people/records/search/explain', asked)
  expect(explained.body).toMatchObject({
    total: 1,
    filters: [
      { found: PEOPLE + 1, isExact: false, hasIndex: true },
      { found: 1, hasIndex: true },
    ],
  })
  expect(explained.body.paths.find(({ isTaken }) => isTaken)).toMatchObject({
    path: 'fetch_and_sort',
    filter: 1,
  })
})
