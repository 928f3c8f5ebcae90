// Requests for the change sets of the last day, and for the jobs that undo them.
import { queryOptions } from '@tanstack/react-query'
import type { ChangeSet } from '../../../../contract/change-sets.ts'
import type { NewUndoJob, UndoJob } from '../../../../contract/undo-jobs.ts'
import { request } from '../../../shared/api/client.ts'
import { pagesQuery } from '../../../shared/api/queries.ts'

export type { ChangeSet } from '../../../../contract/change-sets.ts'
export type { UndoJob, UndoJobConflict } from '../../../../contract/undo-jobs.ts'

const SHOWN = 100
const AT_ONCE = 50
const POLL_MS = 1000

export const isOpen = ({ status }: Pick<UndoJob, 'status'>): boolean =>
  status === 'queued' || status === 'running'

export const changeSetsKey = (org: string) => [org, 'change-sets']
export const undoJobsKey = (org: string) => [org, 'undo-jobs']

/** The last changed first, in pages. */
export const changeSetsQuery = (org: string) => ({
  ...pagesQuery([...changeSetsKey(org), 'list'], 'GET /change-sets', { org, query: { limit: AT_ONCE } }),
  staleTime: 0,
})

/** Polled while a job is open. */
export const undoJobsQuery = (org: string) =>
  queryOptions({
    queryKey: undoJobsKey(org),
    queryFn: async () => (await request('GET /undo-jobs', { org, query: { limit: SHOWN } })).undoJobs,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => data?.some(isOpen) && POLL_MS,
  })

/** What is undone: a change set of the list, or all that a run or a key did in the last day. */
export interface UndoSource extends NewUndoJob {
  /** Shown to the user. */
  name: string
}

/** The source of a change set. Only changes of an API key have a span. */
export const sourceOf = ({ kind, id, from, to }: ChangeSet, name: string): UndoSource => ({
  ...{ kind, id, name },
  ...(kind === 'apiKey' && { from, to }),
})

const bodyOf = ({ name: _, ...body }: UndoSource): NewUndoJob => body

/** A dry run: what would be undone. */
export const undoPreviewQuery = (org: string, source: UndoSource) =>
  queryOptions({
    queryKey: [...changeSetsKey(org), 'preview', bodyOf(source)],
    queryFn: () => request('POST /undo-jobs', { org, query: { dryRun: true }, body: bodyOf(source) }),
    staleTime: 0,
    gcTime: 0,
  })

export const startUndo = (org: string, source: UndoSource) =>
  request('POST /undo-jobs', { org, query: {}, body: bodyOf(source) })

export const cancelUndo = (org: string, undoJobId: string) =>
  request('POST /undo-jobs/:undoJobId/cancel', { org, params: { undoJobId } })

/** What a job did not undo, page by page. */
export const undoConflictsQuery = (org: string, undoJobId: string) => ({
  ...pagesQuery([...undoJobsKey(org), undoJobId, 'conflicts'], 'GET /undo-jobs/:undoJobId/conflicts', {
    org,
    params: { undoJobId },
    query: { limit: SHOWN, count: false },
  }),
  staleTime: 0,
})
