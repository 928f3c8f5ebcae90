// Concurrent writes of records of large and small objects.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../../base/id.ts'
import type { Db } from '../../../db/pool.ts'
import { buildTestService } from '../../../test/build-app.ts'
import { createRecordWrites } from '../../write/batches.ts'
import { INSERTS } from '../../write/insert-batches.ts'
import { buildThings } from '../things.fixture.ts'

const service = await buildTestService()
const { db, models } = service.ctx

test('concurrent writes share one statement per large object, and one for all small objects', async () => {
  const as = { texts: 'values', keepsMissing: true } as const
  const things = await buildThings(service, { as, records: 3 })
  const { org } = things
  const companies = await models.get(db, org.org, 'companies')
  const caller = { ...org, orgId: org.id, country: 'US', currency: 'USD' }
  const write = (model: typeof companies, slug: string) => {
    const data = JSON.stringify({ [slug]: 'Acme' })
    const draft = { id: newId(), slugs: [slug], data, comparable: null, bareAmounts: undefined }
    return { caller, model, draft: { ...draft, uniques: [], links: [] }, scope: undefined }
  }
  const statements: string[] = []
  const listening: Db = {
    ...db,
    inScope: () => ({
      ...db,
      many(statement) {
        statements.push(statement.text)
        return db.many(statement)
      },
    }),
  }
  const inserts = createRecordWrites(listening, INSERTS)
  const asked = [companies, things.model, companies, things.model].map((model) =>
    write(model, model === companies ? 'name' : 'a_text'),
  )
  const records = await Promise.all(
    asked.map((one) => inserts.write(one, () => Promise.reject(new Error('It was not written with others')))),
  )
  expect(records.map(({ id }) => id)).toEqual(asked.map(({ draft }) => draft.id))
  expect(statements.map((text) => text.includes('index_text')).sort()).toEqual([false, true])
  const ids = asked.map(({ draft }) => draft.id)
  const rows = await db.many(sql`select id, value from index_text where id = any(${ids}) order by id`)
  expect(rows).toEqual([ids[1], ids[3]].map((id) => ({ id, value: 'acme' })))
})
