// Inserts workflows for tests as rows, and reads their runs.
import sql from 'sql-template-tag'
import type { WorkflowDefinition, WorkflowStep } from '../../contract/workflows.ts'
import { newId } from '../base/id.ts'
import type { Context } from '../context.ts'
import type { Org } from '../test/factories.ts'
import { syncListener } from './triggers/candidates-store.ts'
import { firstNextAt } from './triggers/schedule.ts'

export interface Made {
  id: string
  name: string
}

interface Options {
  name?: string
  isEnabled?: boolean
  /** The current time, for schedules. */
  now?: Date
}

async function objOf(
  { db }: Pick<Context, 'db'>,
  org: number,
  ref: string | undefined,
): Promise<number | null> {
  if (ref === undefined) return null
  return (
    (await db.maybeValue<number>(sql`select obj from objects where org = ${org} and slug = ${ref}`)) ?? null
  )
}

/** Inserts a workflow as the service does. The object of a trigger is given by its slug. */
export async function insertWorkflow(
  ctx: Pick<Context, 'db'>,
  { org, userId }: Pick<Org, 'org' | 'userId'>,
  definition: WorkflowDefinition,
  { name = `Flow ${newId()}`, isEnabled = true, now = new Date() }: Options = {},
): Promise<Made> {
  const id = newId()
  const { trigger, triggerConfig } = definition
  const obj = await objOf(ctx, org, triggerConfig?.objectId)
  const nextAt = isEnabled ? firstNextAt(definition, 'UTC', now) : null
  await ctx.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into workflows (org, id, name, is_enabled, trigger, obj, watch, next_at, created_by)
      values (${org}, ${id}, ${name}, ${isEnabled}, ${trigger}, ${obj}, ${triggerConfig?.watch ?? null},
        coalesce(${nextAt?.toISOString() ?? null}::timestamptz, 'infinity'), ${userId})`)
    await tx.run(sql`
      insert into workflow_versions (org, workflow, version, definition)
      values (${org}, ${id}, 1, ${JSON.stringify(definition)})`)
    await syncListener(tx, org)
  })
  return { id, name }
}

let keys = 0

/** A step with a new key, unless `more` contains one. */
export const step = (
  type: WorkflowStep['type'],
  config: Record<string, unknown>,
  more: Partial<WorkflowStep> = {},
): WorkflowStep => ({ key: `s${++keys}`, type, config, ...more })

export interface RunRow {
  id: string
  status: string
  title: string
  triggerEvent: string
  subject: string | null
  concurrencyKey: string | null
  input: Record<string, unknown>
  executed: number
  depth: number
  failure: string | null
  error: string | null
  dueAt: string
}

/** The runs of a workflow, in the order of their creation. */
export const runsOf = ({ db }: Pick<Context, 'db'>, { id }: Pick<Made, 'id'>): Promise<RunRow[]> =>
  db.many<RunRow>(sql`
    select id, status, title, trigger_event as "triggerEvent", subject, lane as "concurrencyKey", input, executed, depth, failure, error,
      due_at as "dueAt"
    from workflow_runs where workflow = ${id} order by id`)

export interface StepRow {
  path: string
  key: string
  type: string
  status: string
  attempts: number
  input: Record<string, unknown> | null
  output: Record<string, unknown> | null
  error: string | null
}

export const stepsOf = ({ db }: Pick<Context, 'db'>, { id }: Pick<RunRow, 'id'>): Promise<StepRow[]> =>
  db.many<StepRow>(sql`
    select path, key, type, status, attempts, input, output, error from workflow_run_steps where run = ${id} order by place`)
