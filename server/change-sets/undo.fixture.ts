// Undo jobs for tests: asked for over HTTP, and worked on to their end.
import { expect } from 'vitest'
import type { StartedUndoJob, UndoJob, UndoJobConflict } from '../../contract/undo-jobs.ts'
import { createBatchSize } from '../jobs/batch-size.ts'
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
