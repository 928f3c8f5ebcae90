// Random changes of records of every type, as parts of a set.
import fc from 'fast-check'
import type { BulkResult, CrmRecord } from '../../contract/records.ts'
import { dataOf } from '../records/every-type.fixture.ts'
import type { buildLinked } from '../records/trash/identity.fixture.ts'
import { inSet } from './undo.fixture.ts'

const THINGS = '/objects/things/records'

type Linked = Awaited<ReturnType<typeof buildLinked>>

export function stepsOf({ named, ids }: Pick<Linked, 'named' | 'ids'>) {
  const values = dataOf(named)
  const id = fc.constantFrom(...ids)
  return fc.oneof(
    fc.record({ kind: fc.constant('patch' as const), id, data: values }),
    fc.record({ kind: fc.constant('create' as const), data: values }),
    fc.record({ kind: fc.constant('delete' as const), id }),
    fc.record({
      kind: fc.constant('merge' as const),
      merged: fc.shuffledSubarray([...ids], { minLength: 2, maxLength: 4 }),
      isUnited: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('bulk' as const),
      records: fc.array(fc.oneof(fc.record({ id, data: values }), fc.record({ data: values })), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  )
}
type Step = ReturnType<typeof stepsOf> extends fc.Arbitrary<infer One> ? One : never

/** Is refused if one of the records was deleted or merged by an earlier step. */
function merge(
  { org }: Pick<Linked, 'org'>,
  { merged, isUnited }: Extract<Step, { kind: 'merge' }>,
  set: string,
) {
  const [winnerId, ...loserIds] = merged
  const body = { winnerId, loserIds, ...(isUnited && { united: ['many_reference'] }) }
  return org.post(`${THINGS}/merge`, body, inSet(set))
}

/** Runs one step. A later step may change records that an earlier step created. */
export async function take(linked: Pick<Linked, 'org'>, one: Step, set: string): Promise<void> {
  const { org } = linked
  const headers = inSet(set)
  if (one.kind === 'patch') await org.patch(`${THINGS}/${one.id}`, { data: one.data }, headers)
  else if (one.kind === 'delete') await org.delete(`${THINGS}/${one.id}`, undefined, headers)
  else if (one.kind === 'merge') await merge(linked, one, set)
  else if (one.kind === 'bulk')
    await org.post<BulkResult>(`${THINGS}/bulk`, { mode: 'upsert', records: one.records }, headers)
  else {
    const { status, body } = await org.post<CrmRecord>(THINGS, { data: one.data }, headers)
    if (status === 201) await org.patch(`${THINGS}/${body.id}`, { data: { a_reference: body.id } }, headers)
  }
}
