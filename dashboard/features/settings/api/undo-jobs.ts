// Requests for the change sets of the last day, and for the jobs that undo them.
import { queryOptions } from '@tanstack/react-query'
import type { ChangeSet, NewUndoJob, UndoJob } from '../../../../contract/undo-jobs.ts'
import { request } from '../../../shared/api/client.ts'

export type { ChangeSet, UndoJob, UndoJobConflict } from '../../../../contract/undo-jobs.ts'

const SHOWN = 100
const POLL_MS = 1000

export const isOpen = ({ status }: Pick<UndoJob, 'status'>): boolean =>
  status === 'queued' || status === 'running'

export const changeSetsKey = (org: string) => [org, 'change-sets']
export const undoJobsKey = (org: string) => [org, 'undo-jobs']

export const changeSetsQuery = (org: string) =>
  queryOptions({
    queryKey: changeSetsKey(org),
    queryFn: () => request('GET /change-sets', { org, query: { limit: SHOWN } }),
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

/** The body that identifies a change set in a request. */
export const bodyOf = ({ kind, id, from, to }: ChangeSet): NewUndoJob => ({
  ...{ kind, id },
  ...(kind === 'apiKey' && { from, to }),
})

/** A dry run: what would be undone. */
export const undoPreviewQuery = (org: string, set: ChangeSet) =>
  queryOptions({
    queryKey: [...changeSetsKey(org), 'preview', set.kind, set.id, set.from, set.to],
    queryFn: () => request('POST /undo-jobs', { org, query: { dryRun: true }, body: bodyOf(set) }),
    staleTime: 0,
    gcTime: 0,
  })

export const startUndo = (org: string, set: ChangeSet) =>
  request('POST /undo-jobs', { org, query: {}, body: bodyOf(set) })

export const cancelUndo = (org: string, undoJobId: string) =>
  request('POST /undo-jobs/:undoJobId/cancel', { org, params: { undoJobId } })

export const undoConflictsQuery = (org: string, undoJobId: string) =>
  queryOptions({
    queryKey: [...undoJobsKey(org), undoJobId, 'conflicts'],
    queryFn: () =>
      request('GET /undo-jobs/:undoJobId/conflicts', { org, params: { undoJobId }, query: { limit: SHOWN } }),
    staleTime: 0,
  })
