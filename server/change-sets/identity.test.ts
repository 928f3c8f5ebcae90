// Whichever changes a set has: undone by a job, everything is as before, and undone again, it is as it was.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BulkResult, CrmRecord } from '../../contract/records.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { dataOf } from '../records/every-type.fixture.ts'
import { buildLinked, stateOf } from '../records/trash/identity.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectIdentity, inSet } from './undo.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const { ctx } = service
const THINGS = '/objects/things/records'

const { org, object, ids, named } = await buildLinked(service)

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
  const headers = inSet(set)
  if (one.kind === 'patch') await org.patch(`${THINGS}/${one.id}`, { data: one.data }, headers)
  else if (one.kind === 'delete') await org.delete(`${THINGS}/${one.id}`, undefined, headers)
  else if (one.kind === 'bulk')
    await org.post<BulkResult>(`${THINGS}/bulk`, { mode: 'upsert', records: one.records }, headers)
  else {
    const { status, body } = await org.post<CrmRecord>(THINGS, { data: one.data }, headers)
    if (status === 201) await org.patch(`${THINGS}/${body.id}`, { data: { a_reference: body.id } }, headers)
  }
}

test('undoing any set is the identity, and so is undoing that', () =>
  expectIdentity({
    ...{ ctx, org, step, take },
    state: () => stateOf(service, org),
    // A deletion leaves the unique values of what referred to its record, which no other record can have.
    comparable: (one) => ({ ...one, uniques: [] }),
    afterUndo: async () => expect(await audit(ctx.db, object)).toEqual([]),
  }))
