// One block per line of the specification's Workflows table, in its order.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  RunListQuery,
  RunStarted,
  RunWorkflow,
  Workflow,
  WorkflowList,
  WorkflowPatch,
  WorkflowRunDetail,
  WorkflowRunList,
  WorkflowWithDefinition,
} from '../../contract/workflows.ts'
import type { App } from '../http/request.ts'
import { listRuns, readRun } from './runs/reading.ts'
import { runWorkflow } from './runs/service.ts'
import { patchWorkflow } from './service.ts'
import { etagOf, getWorkflow, selectWorkflows } from './store.ts'

const WorkflowParams = Type.Object({ workflowId: Type.String() })
const RunParams = Type.Object({ workflowId: Type.String(), runId: Type.String() })

function definitions(app: App): void {
  app.get(
    '/workflows',
    { config: { scope: 'workflows:read' }, schema: { response: { 200: WorkflowList } } },
    async ({ ctx, caller }) => ({ workflows: await selectWorkflows(ctx.db, caller.org) }),
  )

  app.get(
    '/workflows/:workflowId',
    {
      config: { scope: 'workflows:read' },
      schema: { params: WorkflowParams, response: { 200: WorkflowWithDefinition } },
    },
    async ({ ctx, caller, params }, reply) => {
      const workflow = await getWorkflow(ctx.db, caller.org, params.workflowId)
      reply.header('etag', etagOf(workflow))
      return workflow
    },
  )

  app.patch(
    '/workflows/:workflowId',
    {
      config: { scope: 'workflows:write', errors: ['name_taken', 'precondition_failed'] },
      schema: { params: WorkflowParams, body: WorkflowPatch, response: { 200: Workflow } },
    },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { ...params, ifMatch: headers['if-match'], patch: body }
      const workflow = await patchWorkflow(ctx, caller.org, change)
      reply.header('etag', etagOf(workflow))
      return workflow
    },
  )
}

/** A preValidation hook. */
async function takeNoBodyForEmpty(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

function runs(app: App): void {
  app.post(
    '/workflows/:workflowId/run',
    {
      config: { scope: 'workflows:run', errors: ['workflow_disabled'], isBodyOptional: true },
      schema: { params: WorkflowParams, body: RunWorkflow, response: { 202: RunStarted } },
      preValidation: takeNoBodyForEmpty,
    },
    async ({ ctx, caller, params, body }, reply) => {
      reply.code(202)
      return runWorkflow(ctx, caller, { ...params, ...body })
    },
  )

  app.get(
    '/workflows/:workflowId/runs',
    {
      config: { scope: 'workflows:read' },
      schema: { params: WorkflowParams, querystring: RunListQuery, response: { 200: WorkflowRunList } },
    },
    ({ ctx, caller, params, query }) => listRuns(ctx.db, caller.org, { ...params, ...query }),
  )

  app.get(
    '/workflows/:workflowId/runs/:runId',
    {
      config: { scope: 'workflows:read' },
      schema: { params: RunParams, response: { 200: WorkflowRunDetail } },
    },
    ({ ctx, caller, params }) => readRun(ctx.db, caller.org, params),
  )
}

export function workflowRoutes(app: App): void {
  definitions(app)
  runs(app)
}
