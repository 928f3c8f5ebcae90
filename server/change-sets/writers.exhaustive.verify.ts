// Undoing a set during concurrent writes keeps those writes and restores everything else.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../base/id.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { buildLinked } from '../records/trash/identity.fixture.ts'
import { addWriters, isWritten } from '../records/trash/writers.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { cases } from '../test/dose.ts'
import { stepsOf, take } from './steps.fixture.ts'
import { conflictsOf, setOf, undoWith } from './undo.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const { ctx } = service

const linked = await buildLinked(service)
const { org, object, named } = linked
const writers = await addWriters(service, org, named)
const { undo } = undoWith(ctx)

// The last step always leaves a change to undo.
const steps = fc
  .array(stepsOf(linked), { minLength: 1, maxLength: 8 })
  .map((some) => [...some, { kind: 'create' as const, data: {} }])

test('undoing a set during concurrent writes restores the previous state and keeps those writes', () =>
  fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 20 }), async (some, rows) => {
      const before = await writers.stateOfOthers()
      const set = newId()
      const job = await writers.during(async () => {
        for (const one of some) await take(linked, one, set)
        return undo(org, setOf(set), rows)
      })
      expect(job).toMatchObject({ status: 'completed', done: job.total })
      // A value that a merge gave to the winner and a writer changed afterwards is kept and listed.
      const slugs = (await conflictsOf(org, job)).map(({ attributeSlug }) => attributeSlug ?? 'the record')
      expect(slugs.filter((slug) => !isWritten(slug))).toEqual([])
      expect(await writers.stateOfOthers()).toEqual(before)
      await writers.expectWritten()
      expect(await audit(ctx.db, object)).toEqual([])
    }),
    { numRuns: cases(20), endOnFailure: true },
  ))
