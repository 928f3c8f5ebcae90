// Workflows for tests.
import type { WorkflowDefinition } from '../../contract/workflows.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'

/** A valid definition in every organization, without effects outside it. */
export const noteOnDeal: WorkflowDefinition = {
  trigger: 'record/updated',
  triggerConfig: { objectId: 'deals', watch: ['stage'] },
  steps: [
    {
      key: 'note',
      type: 'create_activity',
      config: {
        title: 'Look at {{trigger.data.name}}',
        linkedRecords: [{ objectId: 'deals', recordId: '{{trigger.recordId}}' }],
      },
    },
  ],
}

/** A definition with two problems. */
export const broken: WorkflowDefinition = {
  trigger: 'manual',
  steps: [
    { key: 'find', type: 'find_records', config: { object: 'unicorns' } },
    { key: 'stop', type: 'fail', config: {} },
  ],
}
export const BROKEN_PATHS = ['steps[0].config.object', 'steps[1].config.message']

let made = 0

export interface Made extends Record<string, unknown> {
  id: string
  name: string
  version: number
}

/** Creates a workflow with a new name, as the dashboard does. */
export async function makeWorkflow(member: SignedInMember, fields: object = {}): Promise<Made> {
  const body = { name: `Workflow ${++made}`, definition: noteOnDeal, ...fields }
  const reply = await member.post<Made>('/workflows', body)
  if (reply.status !== 201) throw new Error(`POST /workflows answered ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** The paths of all problems in a 400 response. */
export const pathsOf = ({ body }: { body: object }): string[] => {
  const { details } = body as { details?: { errors?: { path: string }[] } }
  return (details?.errors ?? []).map(({ path }) => path)
}
