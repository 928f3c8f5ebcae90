// Whichever changes a set has: undone by a job, everything is as before, and undone again, it is as it was.
import { expect, test } from 'vitest'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { buildLinked, stateOf } from '../records/trash/identity.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { stepsOf, take } from './steps.fixture.ts'
import { expectIdentity } from './undo.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const { ctx } = service
const linked = await buildLinked(service)
const { org, object } = linked

test('undoing any set is the identity, and so is undoing that', () =>
  expectIdentity({
    ...{ ctx, org, step: stepsOf(linked) },
    take: (step, set) => take(linked, step, set),
    state: () => stateOf(service, org),
    // A deletion leaves the unique values of what referred to its record, which no other record can have.
    comparable: (one) => ({ ...one, uniques: [] }),
    afterUndo: async () => expect(await audit(ctx.db, object)).toEqual([]),
  }))
