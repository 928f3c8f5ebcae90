// Merging and undoing during concurrent writes keeps those writes and restores everything else.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import { bodyOf } from '../../test/factories.ts'
import { mirrorOf, readFeed, readRecords } from '../../test/mirror/mirror.ts'
import { countEvents, settle } from '../../test/mirror/settle.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { buildLinked } from '../trash/identity.fixture.ts'
import { addWriters, isWritten } from '../trash/writers.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const THINGS = '/objects/things'

const { org, object, ids, named } = await buildLinked(service)
const writers = await addWriters(service, org, named)

interface Group {
  chosen: readonly string[]
  isUnited: boolean
}

interface Undone {
  losses: { attributeSlug: string }[]
}

/** Three merges of disjoint sets of records. */
const groups = fc
  .tuple(fc.shuffledSubarray([...ids], { minLength: 9, maxLength: 9 }), fc.boolean())
  .map(([chosen, isUnited]): Group[] =>
    [0, 3, 6].map((at) => ({ chosen: chosen.slice(at, at + 3), isUnited })),
  )

async function merge({ chosen: [winnerId, ...loserIds], isUnited }: Group): Promise<string> {
  const { status, body } = await org.post<{ mergeId: string }>(`${THINGS}/records/merge`, {
    winnerId,
    loserIds,
    ...(isUnited && { united: ['many_reference'] }),
  })
  expect([status, body]).toMatchObject([200, {}])
  return body.mergeId
}

async function mergeAndUndo(plan: readonly Group[]): Promise<void> {
  const done: string[] = []
  for (const group of plan) done.push(await merge(group))
  for (const mergeId of done.toReversed()) {
    const body = bodyOf(await org.post<Undone>(`${THINGS}/merges/${mergeId}/undo`))
    // Later changes are kept and listed as losses.
    expect(body.losses.filter(({ attributeSlug }) => !isWritten(attributeSlug))).toEqual([])
  }
}

test('merges and their undo during concurrent writes restore the previous state and keep those writes', async () => {
  await fc.assert(
    fc.asyncProperty(groups, async (plan) => {
      const before = await writers.stateOfOthers()
      await writers.during(() => mergeAndUndo(plan))
      expect(await writers.stateOfOthers()).toEqual(before)
      await writers.expectWritten()
      expect(await audit(service.ctx.db, object)).toEqual([])
      const { pagination } = (await org.get<{ pagination: object }>(`${THINGS}/records?limit=1`)).body
      expect(pagination).toMatchObject({ total: ids.length })
    }),
    { numRuns: cases(20), endOnFailure: true },
  )
  await settle(service, org)
  const count = await countEvents(service, org)
  await expect.poll(async () => (await readFeed(org)).length, { interval: 20 }).toBe(count)
  expect(mirrorOf(await readFeed(org))).toEqual(await readRecords(org))
})
