// Merging and undoing restores the previous state: values, references, activities, files and counters.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { buildLinked, stateOf } from '../trash/identity.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx
const THINGS = '/objects/things'

/** All files of records, including records in the trash. */
const filesOf = (org: number) =>
  db.many(sql`
    select file_id from attachments where org = ${org} union select file_id from trash_files where org = ${org}
    order by file_id`)

/** Merges of some of the ids, one after the other. The winner of one merge can be a loser of the next. */
const merges = (ids: readonly string[]) =>
  fc.array(
    fc.shuffledSubarray([...ids], { minLength: 2, maxLength: 6 }).chain((chosen) =>
      fc.record({
        chosen: fc.constant(chosen),
        source: fc.nat({ max: chosen.length - 1 }),
        isUnited: fc.boolean(),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  )

test('merging records and undoing the merges in reverse order restores the previous state', async () => {
  const { org, object, ids } = await buildLinked(service)
  const total = async () => (await org.get(`${THINGS}/records?limit=1`)).body['pagination']
  await fc.assert(
    fc.asyncProperty(merges(ids), async (plan) => {
      const before = await stateOf(service, org)
      const files = await filesOf(org.org)
      const done: string[] = []
      const merged = new Set<string>()
      for (const { chosen, source, isUnited } of plan) {
        const [winnerId, ...loserIds] = chosen.filter((id) => !merged.has(id))
        if (!winnerId || loserIds.length === 0) continue
        const from = chosen[source] ?? winnerId
        const { status, body } = await org.post<{ mergeId: string }>(`${THINGS}/records/merge`, {
          winnerId,
          loserIds,
          ...(isUnited
            ? { united: ['many_reference'] }
            : { sources: { code: merged.has(from) ? winnerId : from } }),
        })
        expect([status, body]).toMatchObject([200, {}])
        done.push(body.mergeId)
        for (const id of loserIds) merged.add(id)
        expect(await total()).toMatchObject({ total: ids.length - merged.size })
        expect(await audit(db, object)).toEqual([])
      }
      expect(await filesOf(org.org)).toEqual(files)
      for (const mergeId of done.toReversed())
        expect((await org.post(`${THINGS}/merges/${mergeId}/undo`)).body).toMatchObject({ losses: [] })
      expect(await stateOf(service, org)).toEqual(before)
      expect(await audit(db, object)).toEqual([])
      expect(await total()).toMatchObject({ total: ids.length })
      const tables = [sql`trash`, sql`trash_links`, sql`trash_files`, sql`merges`, sql`merge_changes`]
      for (const table of tables)
        expect(await db.many(sql`select from ${table} where org = ${org.org}`)).toEqual([])
    }),
    { numRuns: cases(60), endOnFailure: true },
  )
})
