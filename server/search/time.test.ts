// A search that would take too long ends with what it has.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { make } from '../records/sets.fixture.ts'
import { buildTestService } from '../test/build-app.ts'

const service = await buildTestService({ quickSearchSeconds: 1 })

test('GET /search answers in its time while an object cannot be read', async () => {
  const mia = await (await service.org()).member('member')
  await make(mia, 'people', { name: 'Ada' })
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const holding = service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`lock table records in access exclusive mode`)
    isLocked()
    await release
  })
  await locked
  const { status, body } = await mia.get('/search?q=ada')
  resolve()
  await holding
  expect({ status, body }).toEqual({ status: 200, body: { records: [], activities: [], isComplete: false } })
  expect((await mia.get('/search?q=ada')).body).toMatchObject({
    records: [{ name: 'Ada' }],
    isComplete: true,
  })
})
