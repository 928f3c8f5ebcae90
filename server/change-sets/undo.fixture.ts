// Undo jobs for tests: asked for over HTTP, and worked on to their end.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { StartedUndoJob, UndoJob, UndoJobConflict } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { createBatchSize } from '../jobs/batch-size.ts'
import { cases } from '../test/dose.ts'
import type { Org } from '../test/factories.ts'
import type { ChangeSetContext } from './context.ts'
import { workOnUndo } from './jobs.ts'

type Headers = Record<string, string>
type WorkContext = Parameters<typeof workOnUndo>[0] & ChangeSetContext

export const inSet = (set: string): Headers => ({ 'rapport-change-set': set })

export const setOf = (id: string) => ({ kind: 'changeSet', id })

export const conflictsOf = async (org: Org, { id }: Pick<UndoJob, 'id'>, headers?: Headers) =>
  (await org.get<{ conflicts: UndoJobConflict[] }>(`/undo-jobs/${id}/conflicts`, headers)).body.conflicts

export function undoWith(ctx: WorkContext) {
  /** @param rows how many changes a batch has */
  const finish = async (org: Org, id: string, rows = 100): Promise<UndoJob> => {
    const size = createBatchSize({ first: rows, min: rows, max: rows, ms: 1000 })
    await workOnUndo(ctx, { org: org.org, id }, new AbortController().signal, size)
    return (await org.get<UndoJob>(`/undo-jobs/${id}`)).body
  }
  const undo = async (org: Org, source: object, rows?: number): Promise<UndoJob> => {
    const { status, body } = await org.post<StartedUndoJob>('/undo-jobs', source)
    expect(status).toBe(201)
    return finish(org, body.id ?? '', rows)
  }
  return { finish, undo }
}

interface Changing<Step, State> {
  ctx: WorkContext
  org: Org
  step: fc.Arbitrary<Step>
  /** Changes something as part of a set; some steps are refused. */
  take(step: Step, set: string): Promise<unknown>
  state(): Promise<State>
  /** What the state after undoing twice is compared with, without what does not return. */
  comparable?(state: State): unknown
  /** More that holds after a set was undone. */
  afterUndo?(): Promise<void>
}

/** Undone, any set leaves everything as it was before; that undone, as it was after. */
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
    // Nothing was changed, because the values were there already.
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
