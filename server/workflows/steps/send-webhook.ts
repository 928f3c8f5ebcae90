// The step that sends data to a webhook endpoint: queued in the step's transaction, delivered like any event.
import { isUuid } from '../../../contract/common.ts'
import { idTime, newId } from '../../base/id.ts'
import { queueMessage } from '../../webhooks/message-store.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { isLiteral } from '../check/template-check.ts'
import { textOf } from '../interpreter/values.ts'
import { StepFailure } from './failure.ts'
import type { DataStep, StepWork } from './step.ts'

function check({ config: { endpointId }, path, known, report }: StepCheck): void {
  if (isLiteral(endpointId) && !known.endpoints.includes(endpointId))
    report.add(
      `${path}.endpointId`,
      'unknown_endpoint',
      'must be an endpoint of this organization: choose another',
    )
}

const TYPE = 'workflow.message'

const bodyOf = ({ caller, workflow, run, input }: StepWork, id: string) =>
  JSON.stringify({
    id,
    type: TYPE,
    timestamp: new Date(idTime(id)).toISOString(),
    organizationId: caller.orgId,
    actor: { type: 'workflow', id: workflow.id },
    workflowId: workflow.id,
    workflowName: workflow.name,
    runId: run.id,
    data: input['data'] ?? null,
  })

const PROBLEMS = {
  deleted: 'The webhook endpoint of this step was deleted: choose another.',
  disabled: 'The webhook endpoint of this step is disabled: enable it under Settings, Webhooks.',
} as const

async function perform(work: StepWork) {
  const { ctx, caller, input } = work
  if (ctx.svix)
    throw new StepFailure(
      'This installation delivers webhooks with Svix, which cannot send to a single endpoint. Use an HTTP request instead.',
    )
  const endpoint = textOf(input['endpointId']).toLowerCase()
  if (!isUuid(endpoint)) throw new StepFailure(PROBLEMS.deleted)
  const id = newId()
  const body = bodyOf(work, id)
  const came = await queueMessage(ctx.db, { org: caller.org, endpoint, id, type: TYPE, body })
  if (came !== 'queued') throw new StepFailure(PROBLEMS[came])
  return work.isDry ? { wouldSend: JSON.parse(body) } : { eventId: id }
}

export const sendWebhook: DataStep = {
  kind: 'data',
  check,
  perform,
  example: { endpointId: '0198c0de-0000-7000-8000-000000000008', data: { any: ['{{trigger}}'] } },
}
