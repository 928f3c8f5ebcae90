// The endpoints of section "Workflows" of the specification, in its order.
import { workflowRoutes } from '../../contract/workflow-routes.ts'
import { addRoute } from '../http/add-route.ts'
import { withEtag } from '../http/etag.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { listCancellations, readCancellation, startCancellation } from './cancellations/service.ts'
import { listRuns, readRun } from './runs/reading.ts'
import { runWorkflow } from './runs/service.ts'
import { patchWorkflow } from './service.ts'
import { getWorkflow, selectWorkflows, workflowEtag } from './store.ts'

function definitions(app: App): void {
  addRoute(app, workflowRoutes.listWorkflows, async ({ ctx, caller, query }) => {
    const all = await selectWorkflows(ctx.db, caller.org)
    return pageOfWhole('workflows', all, query, ['workflows', caller.org])
  })

  addRoute(app, workflowRoutes.getWorkflow, async ({ ctx, caller, params }, reply) =>
    withEtag(reply, workflowEtag, await getWorkflow(ctx.db, caller.org, params.workflowId)),
  )

  addRoute(app, workflowRoutes.updateWorkflow, async ({ ctx, caller, params, body, headers }, reply) => {
    const change = { ...params, ifMatch: headers['if-match'], patch: body }
    return withEtag(reply, workflowEtag, await patchWorkflow(ctx, caller, change))
  })
}

function runs(app: App): void {
  addRoute(app, workflowRoutes.runWorkflow, ({ ctx, caller, params, body }) =>
    runWorkflow(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, workflowRoutes.listWorkflowRuns, ({ ctx, caller, params, query }) =>
    listRuns(ctx.db, caller.org, { ...params, ...query }),
  )

  addRoute(app, workflowRoutes.getWorkflowRun, ({ ctx, caller, params }) => readRun(ctx.db, caller, params))
}

function cancellations(app: App): void {
  addRoute(app, workflowRoutes.cancelWorkflowRuns, ({ ctx, caller, params }) =>
    startCancellation(ctx, caller, params.workflowId),
  )

  addRoute(app, workflowRoutes.listRunCancellations, ({ ctx, caller, params, query }) =>
    listCancellations(ctx, caller, { ...params, ...query }),
  )

  addRoute(app, workflowRoutes.getRunCancellation, ({ ctx, caller, params }) =>
    readCancellation(ctx, caller, params),
  )
}

export function addWorkflowRoutes(app: App): void {
  definitions(app)
  runs(app)
  cancellations(app)
}
