// Workflows and their runs.
import { createWorkflow } from '../../workflows/service.ts'
import { fresh, none, only, type Party, type RouteCase, type RouteRequest, withBody } from './party.ts'
import { makePerson } from './records.ts'

/** Enabled, about people, taking any data. */
async function makeWorkflow(party: Party): Promise<string> {
  const definition = {
    trigger: 'manual',
    triggerConfig: { objectId: 'people' },
    steps: [{ key: 'note', type: 'create_activity', config: { title: `Hello ${party.mark}` } }],
  }
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

async function ofCancellation(party: Party) {
  const { workflowId } = await ofRun(party)
  const { body } = await party.org.post<{ id: string }>(`/workflows/${workflowId}/cancellations`)
  return { workflowId, cancellationId: body.id }
}

export const workflowCases = {
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
