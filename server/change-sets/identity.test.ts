// Whichever changes a set has: undone by a job, everything is as before, and undone again, it is as it was.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BulkResult, CrmRecord } from '../../contract/records.ts'
import type { UndoJob } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { createBatchSize } from '../jobs/batch-size.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { dataOf } from '../records/every-type.fixture.ts'
import { buildLinked, stateOf } from '../records/trash/identity.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { cases } from '../test/dose.ts'
import { workOnUndo } from './jobs.ts'

const service = await buildTestService({ indexFrom: 1 })
const { ctx } = service
const THINGS = '/objects/things/records'
const never = new AbortController().signal

const { org, object, ids, named } = await buildLinked(service)

async function undo(changeSetId: string, rows: number): Promise<UndoJob | undefined> {
  const { status, body } = await org.post<UndoJob>('/undo-jobs', { kind: 'changeSet', id: changeSetId })
  // Nothing was changed, because the records had the values.
  if (status === 400) return undefined
  const size = createBatchSize({ first: rows, min: rows, max: rows, ms: 1000 })
  await workOnUndo(ctx, { org: org.org, id: body.id }, never, size)
  return (await org.get<UndoJob>(`/undo-jobs/${body.id}`)).body
}

const values = dataOf(named)
const id = fc.constantFrom(...ids)
const step = fc.oneof(
  fc.record({ kind: fc.constant('patch' as const), id, data: values }),
  fc.record({ kind: fc.constant('create' as const), data: values }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({
    kind: fc.constant('bulk' as const),
    records: fc.array(fc.oneof(fc.record({ id, data: values }), fc.record({ data: values })), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** In a set; later steps may change what earlier ones created. */
async function take(one: Step, set: string): Promise<void> {
  const headers = { 'rapport-change-set': set }
  if (one.kind === 'patch') await org.patch(`${THINGS}/${one.id}`, { data: one.data }, headers)
  else if (one.kind === 'delete') await org.delete(`${THINGS}/${one.id}`, undefined, headers)
  else if (one.kind === 'bulk')
    await org.post<BulkResult>(`${THINGS}/bulk`, { mode: 'upsert', records: one.records }, headers)
  else {
    const { status, body } = await org.post<CrmRecord>(THINGS, { data: one.data }, headers)
    if (status === 201) await org.patch(`${THINGS}/${body.id}`, { data: { a_reference: body.id } }, headers)
  }
}

test('undoing any set is the identity, and so is undoing that', async () => {
  let undone = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      async (steps, rows) => {
        const before = await stateOf(service, org)
        const set = newId()
        for (const one of steps) await take(one, set)
        const changed = await stateOf(service, org)
        const job = await undo(set, rows)
        expect(await stateOf(service, org)).toEqual(before)
        expect(await audit(ctx.db, object)).toEqual([])
        if (!job) return
        undone += 1
        expect(job).toMatchObject({ status: 'completed', conflictCount: 0, done: job.total })
        const redone = await undo(job.id, rows)
        expect(redone).toMatchObject({ status: 'completed', conflictCount: 0 })
        // A deletion leaves the unique values of what referred to its record, which no other record can have.
        expect({ ...(await stateOf(service, org)), uniques: [] }).toEqual({ ...changed, uniques: [] })
        await undo(redone?.id ?? '', rows)
        expect(await stateOf(service, org)).toEqual(before)
      },
    ),
    { numRuns: cases(40), endOnFailure: true },
  )
  expect(undone).toBeGreaterThan(cases(40) / 2)
})
