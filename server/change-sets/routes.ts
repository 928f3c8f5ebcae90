// Routes of change sets, and of the jobs that undo them.
import { type UndoJobConflictList, undoJobRoutes } from '../../contract/undo-jobs.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { listConflicts } from './conflicts.ts'
import { listChangeSets } from './listing.ts'
import { cancelUndoJob, createUndoJob, listUndoJobs, readUndoJob } from './service.ts'

export function addChangeSetRoutes(app: App): void {
  addRoute(app, undoJobRoutes.listChangeSets, ({ ctx, caller, query }) => listChangeSets(ctx, caller, query))

  addRoute(app, undoJobRoutes.createUndoJob, ({ ctx, caller, query, body }) =>
    createUndoJob(ctx, caller, body, query.dryRun),
  )

  addRoute(app, undoJobRoutes.listUndoJobs, ({ ctx, caller, query }) => listUndoJobs(ctx, caller, query))

  addRoute(app, undoJobRoutes.getUndoJob, ({ ctx, caller, params }) =>
    readUndoJob(ctx, caller, params.undoJobId),
  )

  addRoute(app, undoJobRoutes.cancelUndoJob, ({ ctx, caller, params }) =>
    cancelUndoJob(ctx, caller, params.undoJobId),
  )

  addRoute(app, undoJobRoutes.listUndoJobConflicts, async ({ ctx, caller, params, query }, reply) =>
    sendJson<UndoJobConflictList>(reply, await listConflicts(ctx, caller, params.undoJobId, query)),
  )
}
