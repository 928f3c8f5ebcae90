// The engine as the service runs it: two concurrent engines, stopped and started again, on queue connections.
import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../../../test/build-app.ts'
import { audit, countRows } from './audit.fixture.ts'
import { createIndexEngine } from './engine.ts'
import type { ObjectKey } from './work-store.ts'

const service = await buildTestService({ indexFrom: 40 })
const { ctx } = service
const { db } = ctx

test('the index of an object that becomes large is built and stays correct while engines stop and start', async () => {
  const org = await service.org()
  const object = await db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and slug = 'companies'`,
  )
  const post = (count: number) =>
    org.post('/objects/companies/records/bulk', {
      records: Array.from({ length: count }, (_, at) => ({ data: { name: `Company ${at % 9}` } })),
    })
  const found = (condition: Sql) =>
    db.many(sql`select from objects where org = ${object.org} and obj = ${object.obj} and ${condition}`)
  expect((await post(30)).status).toBe(200)
  const first = createIndexEngine(ctx, db)
  first.start()
  await post(30)
  await expect.poll(() => found(sql`index_state <> 'none'`)).toHaveLength(1)
  await first.stop(1000)
  const engines = [createIndexEngine(ctx, db), createIndexEngine(ctx, db)]
  for (const engine of engines) engine.start()
  await expect.poll(() => found(sql`index_state = 'ready' and index_since is null`)).toHaveLength(1)
  for (let round = 0; round < 5; round++) await post(30)
  expect(await audit(db, object)).toEqual([])
  await expect.poll(() => countRows(db, object)).toMatchObject({ changes: 0 })
  expect(await audit(db, object)).toEqual([])
  await Promise.all(engines.map((engine) => engine.stop(1000)))
})
