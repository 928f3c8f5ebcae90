// Workflows and their runs.
import sql from 'sql-template-tag'
import { putSecret } from '../../workflows/secrets/service.ts'
import { createWorkflow } from '../../workflows/service.ts'
import { fresh, none, only, type Party, type RouteCase, type RouteRequest, withBody } from './party.ts'
import { makePerson } from './records.ts'
import { ofReport } from './reports.ts'

/** A manual workflow on people that accepts any data. */
const definitionOf = (mark: string) => ({
  trigger: 'manual',
  triggerConfig: { objectId: 'people' },
  steps: [{ key: 'note', type: 'create_activity', config: { title: `Hello ${mark}` } }],
})

async function makeWorkflow(party: Party): Promise<string> {
  const definition = definitionOf(party.mark)
  const name = `Workflow ${fresh()} ${party.mark}`
  const { id } = await createWorkflow(party.ctx, party.org, {
    name,
    definition,
    enabled: true,
    description: party.mark,
  })
  return id
}

const ofWorkflow = async (party: Party) => ({ workflowId: await makeWorkflow(party) })

async function runningWorkflow(party: Party): Promise<RouteRequest> {
  const { recordId } = await makePerson(party)
  return { params: await ofWorkflow(party), body: { data: { greeting: 'Hello' }, recordId } }
}

async function ofRun(party: Party) {
  const { params, body } = await runningWorkflow(party)
  const { workflowId = '' } = params
  const { body: started } = await party.org.post<{ runId: string }>(`/workflows/${workflowId}/run`, body)
  return { workflowId, runId: started.runId }
}

async function ofFailedRun(party: Party) {
  const run = await ofRun(party)
  await party.ctx.db.run(
    sql`update workflow_runs set status = 'failed', completed_at = now() where org = ${party.org.org} and id = ${run.runId}`,
  )
  return run
}

async function ofSecret({ ctx, org, mark }: Party) {
  const name = `SECRET_${fresh()}`
  await putSecret(ctx, { org: org.org, userId: org.userId }, { name, value: mark })
  return { secretName: name }
}

async function ofCancellation(party: Party) {
  const { workflowId } = await ofRun(party)
  const { body } = await party.org.post<{ id: string }>(`/workflows/${workflowId}/cancellations`)
  return { workflowId, cancellationId: body.id }
}

export const workflowCases = {
  'POST /workflows': {
    good: withBody(none, ({ mark }) => ({
      name: `Workflow ${fresh()} ${mark}`,
      definition: definitionOf(mark),
    })),
  },
  'DELETE /workflows/:workflowId': { good: only(ofWorkflow) },
  'GET /workflows/:workflowId/definition': { good: only(ofWorkflow) },
  'PUT /workflows/:workflowId/definition': {
    good: withBody(ofWorkflow, ({ mark }) => ({ definition: definitionOf(`now ${mark}`), basedOn: 1 })),
  },
  'GET /workflows/:workflowId/versions': { good: only(ofWorkflow) },
  'POST /workflows/:workflowId/restore': { good: withBody(ofWorkflow, () => ({ version: 1 })) },
  'GET /workflow-templates': { good: only(none) },
  'POST /workflow-check': {
    good: withBody(none, ({ mark }) => ({ definition: definitionOf(`${fresh()} ${mark}`) })),
  },
  'GET /workflow-sample': {
    good: async () => ({ params: {}, query: { trigger: 'record/created', objectId: 'people' } }),
  },
  'GET /schedule-preview': { good: async () => ({ params: {}, query: { cron: '0 9 * * 1' } }) },
  'POST /workflow-dry-run': {
    good: withBody(none, async (party) => ({
      definition: definitionOf(party.mark),
      recordId: (await makePerson(party)).recordId,
    })),
  },
  'GET /workflow-overview': { good: only(none) },
  'GET /reports/:reportId/workflows': { good: only(ofReport) },
  'POST /workflows/:workflowId/run-records': {
    good: withBody(ofWorkflow, async (party) => ({ recordIds: [(await makePerson(party)).recordId] })),
  },
  'GET /workflows/:workflowId/open-runs': { good: only(ofWorkflow) },
  'POST /workflows/:workflowId/runs/:runId/cancel': { good: only(ofRun) },
  'POST /workflows/:workflowId/runs/:runId/retry': { good: only(ofFailedRun) },
  'GET /workflow-secrets': { good: only(none) },
  'PUT /workflow-secrets/:secretName': {
    good: withBody(
      async () => ({ secretName: `SECRET_${fresh()}` }),
      ({ mark }) => ({ value: mark }),
    ),
  },
  'DELETE /workflow-secrets/:secretName': { good: only(ofSecret) },
  'GET /workflows': { good: only(none) },
  'GET /workflows/:workflowId': { good: only(ofWorkflow) },
  'PATCH /workflows/:workflowId': {
    good: withBody(ofWorkflow, ({ mark }) => ({ name: `Renamed ${fresh()} ${mark}`, enabled: true })),
  },
  'POST /workflows/:workflowId/run': { good: runningWorkflow },
  'GET /workflows/:workflowId/runs': {
    good: async (party) => ({ params: await ofWorkflow(party), query: { limit: '5', status: 'failed' } }),
  },
  'GET /workflows/:workflowId/runs/:runId': { good: only(ofRun) },
  'POST /workflows/:workflowId/cancellations': { good: only(ofWorkflow) },
  'GET /workflows/:workflowId/cancellations': {
    good: async (party) => ({ params: await ofWorkflow(party), query: { limit: '5' } }),
  },
  'GET /workflows/:workflowId/cancellations/:cancellationId': { good: only(ofCancellation) },
} satisfies Readonly<Record<string, RouteCase>>
