// Creates workflows and their runs in every state. In the workflow engine, some states take days.
import sql from 'sql-template-tag'
import type { RunFailure, RunStatus, StepStatus } from '../../contract/workflow-states.ts'
import type { StepType } from '../../contract/workflow-steps.ts'
import type { Workflow, WorkflowDefinition } from '../../contract/workflows.ts'
import { newIdAt } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'

/** A branch, a loop inside it, and an HTTP request after both. */
export const THANKS: WorkflowDefinition = {
  trigger: 'record/updated',
  triggerConfig: {
    objectId: 'deals',
    watch: ['stage'],
    filter: { and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }] },
  },
  steps: [
    {
      key: 'contacts',
      type: 'find_records',
      config: {
        object: 'people',
        filter: {
          and: [{ attributeSlug: 'company', operator: 'equals', value: '{{trigger.data.company}}' }],
        },
        limit: 50,
      },
    },
    {
      key: 'isBig',
      type: 'branch',
      config: {
        branches: [
          {
            name: 'big',
            when: { left: '{{trigger.data.amount}}', operator: 'greaterThan', right: 50_000 },
            steps: [
              { key: 'wait', type: 'delay', config: { seconds: 86_400 } },
              {
                key: 'each',
                type: 'for_each',
                config: {
                  items: '{{steps.contacts.records}}',
                  as: 'person',
                  steps: [
                    {
                      key: 'note',
                      type: 'create_activity',
                      name: 'Thank them',
                      config: { type: 'task', title: 'Say thanks to {{person.data.name}}' },
                    },
                  ],
                },
              },
            ],
          },
        ],
        else: [],
      },
    },
    {
      key: 'erp',
      type: 'http_request',
      name: 'Tell the ERP',
      config: {
        method: 'POST',
        url: 'https://erp.example.com/orders',
        body: { deal: '{{trigger.recordId}}' },
      },
    },
  ],
}

/** Started by hand on a deal, with a reason as parameter. */
export const BY_HAND: WorkflowDefinition = {
  trigger: 'manual',
  triggerConfig: { objectId: 'deals' },
  parameters: [
    { name: 'reason', type: 'text', label: 'Reason', required: true },
    { name: 'urgent', type: 'checkbox', label: 'Urgent' },
  ],
  steps: [{ key: 'halt', type: 'stop', config: { message: '{{trigger.parameters.reason}}' } }],
}

/** @throws if the workflow is refused */
export async function addWorkflow(
  member: SignedInMember,
  workflow: { name: string; description?: string; definition: WorkflowDefinition; enabled?: boolean },
): Promise<Workflow> {
  const { status, body } = await member.post<Workflow>('/workflows', workflow)
  if (status !== 201) throw new Error(`The workflow was refused: ${JSON.stringify(body)}`)
  return body
}

export interface StepMade {
  path: string
  key: string
  type: StepType
  status?: StepStatus
  attempts?: number
  durationMs?: number
  resumeInMinutes?: number
  input?: unknown
  output?: unknown
  error?: string
}

export interface RunMade {
  status?: RunStatus
  title?: string
  triggerEvent?: string
  minutesAgo?: number
  durationMs?: number
  error?: string
  failure?: RunFailure
  input?: unknown
  steps?: readonly StepMade[]
}

interface RunRows {
  org: number
  workflow: string
}

type Db = Pick<Context, 'db'>

/** Replaces the steps of the run. */
export async function setSteps({ db }: Db, org: number, run: string, steps: readonly StepMade[]) {
  await db.run(sql`delete from workflow_run_steps where org = ${org} and run = ${run}`)
  for (const [place, step] of steps.entries()) {
    const { path, key, type, status = 'completed', attempts = 1, durationMs = null, error = null } = step
    const minutes = step.resumeInMinutes ?? null
    await db.run(sql`
      insert into workflow_run_steps
        (org, run, place, path, key, type, status, attempts, started_at, duration_ms, resume_at, input, output, error)
      values (${org}, ${run}, ${place}, ${path}, ${key}, ${type}, ${status}, ${attempts}, now(), ${durationMs},
        now() + make_interval(mins => ${minutes}), ${JSON.stringify(step.input ?? {})},
        ${JSON.stringify(step.output ?? null)}, ${error})`)
  }
}

const FINAL = ['completed', 'failed', 'cancelled']

/** @returns the run's id */
export async function addRun(ctx: Db, { org, workflow }: RunRows, made: RunMade = {}): Promise<string> {
  const { status = 'completed', title = 'Big deal', triggerEvent = 'record/updated', minutesAgo = 5 } = made
  const { durationMs = 180, failure = null, error = null, input = { event: triggerEvent } } = made
  const startedAt = new Date(Date.now() - minutesAgo * 60_000)
  const id = newIdAt(startedAt)
  const begun = status === 'queued' ? null : startedAt.toISOString()
  const over = FINAL.includes(status) ? new Date(startedAt.getTime() + durationMs).toISOString() : null
  const wakeAt = status === 'waiting' ? new Date(Date.now() + 3_600_000).toISOString() : null
  await ctx.db.run(sql`
    insert into workflow_runs (org, id, workflow, version, status, title, trigger_event, input, failure, error,
      due_at, wake_at, created_at, started_at, completed_at)
    values (${org}, ${id}, ${workflow}, 1, ${status}, ${title}, ${triggerEvent}, ${JSON.stringify(input)},
      ${failure}, ${error}, 'infinity', ${wakeAt}, ${startedAt.toISOString()}, ${begun}, ${over})`)
  await setSteps(ctx, org, id, made.steps ?? [])
  return id
}

/** Ends a run as the workflow engine does. */
export const endRun = ({ db }: Db, org: number, run: string, status: 'completed' | 'failed') =>
  db.run(sql`
    update workflow_runs set status = ${status}, wake_at = null, completed_at = now(), started_at =
      coalesce(started_at, now()) where org = ${org} and id = ${run}`)

const item = (index: number, status: StepStatus, error?: string): StepMade => ({
  path: `steps[1].big.steps[1].items[${index}].steps[0]`,
  key: 'note',
  type: 'create_activity',
  status,
  attempts: status === 'failed' ? 4 : 1,
  durationMs: 12,
  input: { type: 'task', title: `Say thanks to person ${index + 1}` },
  output: status === 'completed' ? { id: `activity ${index + 1}` } : null,
  ...(error !== undefined && { error }),
})

/** Steps of THANKS whose third item failed. */
export const FAILED_STEPS: readonly StepMade[] = [
  {
    path: 'steps[0]',
    key: 'contacts',
    type: 'find_records',
    durationMs: 8,
    input: { object: 'people', limit: 50 },
    output: { count: 3, records: [] },
  },
  {
    path: 'steps[1]',
    key: 'isBig',
    type: 'branch',
    durationMs: 1,
    input: {},
    output: { branch: 'big' },
  },
  { path: 'steps[1].big.steps[0]', key: 'wait', type: 'delay', durationMs: 86_400_000, output: {} },
  { path: 'steps[1].big.steps[1]', key: 'each', type: 'for_each', status: 'failed', durationMs: 40 },
  item(0, 'completed'),
  item(1, 'completed'),
  item(2, 'failed', 'The title is missing: {{person.data.name}} is empty'),
]

/** Steps of THANKS that wait in a delay. */
export const WAITING_STEPS: readonly StepMade[] = [
  ...FAILED_STEPS.slice(0, 2),
  {
    path: 'steps[1].big.steps[0]',
    key: 'wait',
    type: 'delay',
    status: 'waiting',
    resumeInMinutes: 60,
    input: { seconds: 86_400 },
  },
]
