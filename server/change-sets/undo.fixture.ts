// Undo jobs for tests: requested over HTTP, and run to their end.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { StartedUndoJob, UndoJob, UndoJobConflict } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { createBatchSize } from '../jobs/batch-size.ts'
import { cases } from '../test/dose.ts'
import { bodyOf, type Org } from '../test/factories.ts'
import type { ChangeSetContext } from './context.ts'
import { workOnUndo } from './jobs.ts'

type Headers = Record<string, string>
type WorkContext = Parameters<typeof workOnUndo>[0] & ChangeSetContext

export const inSet = (set: string): Headers => ({ 'rapport-change-set': set })

export const setOf = (id: string) => ({ kind: 'changeSet', id })

export const conflictsOf = async (org: Org, { id }: Pick<UndoJob, 'id'>, headers?: Headers) =>
  (await org.get<{ conflicts: UndoJobConflict[] }>(`/undo-jobs/${id}/conflicts`, headers)).body.conflicts

export function undoWith(ctx: WorkContext) {
  /** @param rows number of changes per batch */
  const finish = async (org: Org, id: string, rows = 100): Promise<UndoJob> => {
    const size = createBatchSize({ first: rows, min: rows, max: rows, ms: 1000 })
    await workOnUndo(ctx, { org: org.org, id }, new AbortController().signal, size)
    return (await org.get<UndoJob>(`/undo-jobs/${id}`)).body
  }
  const undo = async (org: Org, source: object, rows?: number): Promise<UndoJob> => {
    const body = bodyOf(await org.post<StartedUndoJob>('/undo-jobs', source), 201)
    return finish(org, body.id ?? '', rows)
  }
  return { finish, undo }
}

interface Changing<Step, State> {
  ctx: WorkContext
  org: Org
  step: fc.Arbitrary<Step>
  /** Makes a change in a set; some steps are refused. */
  take(step: Step, set: string): Promise<unknown>
  state(): Promise<State>
  /** The part of the state that is compared after the second undo, without data that does not return. */
  comparable?(state: State): unknown
  /** Further checks after the set is undone. */
  afterUndo?(): Promise<void>
}

/** Checks that undoing any set restores the state before it, and that undoing the undo restores the state after it. */
export async function expectIdentity<Step, State>({
  ctx,
  org,
  step,
  take,
  state,
  comparable = (one) => one,
  afterUndo = async () => undefined,
}: Changing<Step, State>): Promise<void> {
  const { finish, undo } = undoWith(ctx)
  const done = { status: 'completed', conflictCount: 0 }
  let undone = 0
  const check = async (steps: readonly Step[], rows: number) => {
    const before = await state()
    const set = newId()
    for (const one of steps) await take(one, set)
    const changed = await state()
    const started = await org.post<StartedUndoJob>('/undo-jobs', setOf(set))
    // The set changed nothing, because the records already had the values.
    if (started.status === 400) {
      expect(changed).toEqual(before)
      return
    }
    undone += 1
    const job = await finish(org, started.body.id ?? '', rows)
    expect(await state()).toEqual(before)
    await afterUndo()
    expect(job).toMatchObject({ ...done, done: job.total })
    const redone = await undo(org, setOf(job.id), rows)
    expect(redone).toMatchObject({ ...done, done: redone.total })
    expect(comparable(await state())).toEqual(comparable(changed))
    await undo(org, setOf(redone.id), rows)
    expect(await state()).toEqual(before)
  }
  const steps = fc.array(step, { minLength: 1, maxLength: 8 })
  await fc.assert(fc.asyncProperty(steps, fc.integer({ min: 1, max: 20 }), check), {
    ...{ numRuns: cases(40), endOnFailure: true },
  })
  expect(undone).toBeGreaterThan(cases(40) / 2)
}
