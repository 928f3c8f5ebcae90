// A search that reaches its time limit returns the hits found so far, and names the objects that it did not finish.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { SearchHits } from '../../contract/search.ts'
import { buildTestService } from '../test/build-app.ts'
import { bodyOf, createRecord } from '../test/factories.ts'

const service = await buildTestService({ quickSearchSeconds: 1 })
const { db } = service.ctx

/** Runs the work while no record can be read. */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.run(sql`lock table records in access exclusive mode`)
    isLocked()
    await release
  })
  await locked
  const result = await work()
  resolve()
  await holding
  return result
}

const reasonOf = ({ incomplete }: SearchHits, objectId: string) =>
  incomplete.find((one) => one.objectId === objectId)?.reason

test('GET /search responds within its time limit while an object cannot be read', async () => {
  const mia = await (await service.org()).member('member')
  const { objectId } = await createRecord(mia, 'people', { name: 'Ada' })
  const body = bodyOf(await whileLocked(() => mia.get<SearchHits>('/search?q=ada')))
  expect(body).toMatchObject({ records: [], isComplete: false })
  expect(reasonOf(body, objectId)).toBe('time')
  expect((await mia.get('/search?q=ada')).body).toMatchObject({
    records: [{ name: 'Ada' }],
    isComplete: true,
  })
})

test('GET /search names the object whose index is being built', async () => {
  const mia = await (await service.org()).member('member')
  const { objectId } = await createRecord(mia, 'people', { name: 'Ada' })
  await db.run(
    sql`update objects set index_state = 'building', version = nextval('object_versions') where id = ${objectId}`,
  )
  const { body } = await whileLocked(() => mia.get<SearchHits>('/search?q=ada'))
  expect(reasonOf(body, objectId)).toBe('indexing')
  expect((await mia.get('/search?q=ada')).body).toMatchObject({
    records: [{ name: 'Ada' }],
    isComplete: true,
  })
})

test('a quick page of a search responds within its time limit', async () => {
  const mia = await (await service.org()).member('member')
  await createRecord(mia, 'people', { name: 'Ada' })
  const search = () => mia.post('/objects/people/records/search', { q: 'ada', isQuick: true })
  const late = await whileLocked(search)
  expect(late).toMatchObject({ status: 200, body: { records: [], isComplete: false, searched: 0 } })
  expect((await search()).body).toMatchObject({
    records: [{ data: { name: { firstName: 'Ada' } } }],
    pagination: { total: 1 },
    isComplete: true,
  })
})
