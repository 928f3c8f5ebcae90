// Deleting and restoring records restores the previous state, with references in all directions.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { buildLinked, stateOf } from './identity.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx

/** The ids in batches of 1 to 4. */
const inParts = (ids: readonly string[], sizes: fc.Stream<number>): string[][] => {
  const all: string[][] = []
  for (let rest = ids; rest.length > 0; ) {
    const size = Number(sizes.next().value)
    all.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return all
}

/** Some of the ids: the batches in which they are deleted, and the batches in which they are restored. */
const parts = (ids: readonly string[]): fc.Arbitrary<{ deleted: string[][]; restored: string[][] }> =>
  fc.shuffledSubarray([...ids], { minLength: 1 }).chain((chosen) => {
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 4 }))
    const order = fc.shuffledSubarray(chosen, { minLength: chosen.length })
    return fc.tuple(order, sizes, sizes).map(([restored, one, other]) => ({
      deleted: inParts(chosen, one),
      restored: inParts(restored, other),
    }))
  })

test('deleting and restoring records, in any order and any batches, restores the previous state', async () => {
  const { org, object, ids } = await buildLinked(service)
  const path = '/objects/things'
  const remove = async (batch: readonly string[]) => {
    const [id] = batch
    const { status } =
      batch.length === 1
        ? await org.delete(`${path}/records/${id}`)
        : await org.delete(`${path}/records/bulk`, { ids: batch })
    expect(status).toBe(200)
  }
  const bringBack = async (batch: readonly string[]) =>
    expect((await org.post(`${path}/trash/bulk/restore`, { ids: batch })).body).toMatchObject({
      restored: batch.length,
    })
  await fc.assert(
    fc.asyncProperty(parts(ids), async ({ deleted, restored }) => {
      const before = await stateOf(service, org)
      for (const batch of deleted) await remove(batch)
      const total = await org.get(`${path}/records?limit=1`)
      expect(total.body).toMatchObject({ pagination: { total: ids.length - deleted.flat().length } })
      expect(await audit(db, object)).toEqual([])
      for (const batch of restored) await bringBack(batch)
      expect(await stateOf(service, org)).toEqual(before)
      expect(await audit(db, object)).toEqual([])
      expect((await org.get(`${path}/records?limit=1`)).body).toMatchObject({
        pagination: { total: ids.length },
      })
      for (const table of [sql`trash`, sql`trash_links`, sql`trash_files`])
        expect(await db.many(sql`select from ${table} where org = ${org.org}`)).toEqual([])
    }),
    { numRuns: cases(60), endOnFailure: true },
  )
})
