// Undoing any set of record changes restores the state before it; undoing the undo restores the state after it.
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

test('undoing any set restores the state before it, and undoing the undo restores the state after it', () =>
  expectIdentity({
    ...{ ctx, org, step: stepsOf(linked) },
    take: (step, set) => take(linked, step, set),
    state: () => stateOf(service, org),
    // A deletion does not remove unique values of references to the deleted record. No other record can have these
    // values.
    comparable: (one) => ({ ...one, uniques: [] }),
    afterUndo: async () => expect(await audit(ctx.db, object)).toEqual([]),
  }))
