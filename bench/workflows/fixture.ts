// An organization with workflows, and runs of them that are due.
import sql from 'sql-template-tag'
import type { WorkflowDefinition, WorkflowStep } from '../../contract/workflows.ts'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import type { Db } from '../../server/db/pool.ts'
import { insertRuns, type NewRun } from '../../server/workflows/engine/new-runs-store.ts'
import { syncListener } from '../../server/workflows/triggers/candidates-store.ts'
import { makeSubscriber, SAMPLE } from '../webhooks/fixture.ts'

export interface Customer {
  org: number
  obj: number
  key: string
  userId: string
}

export async function makeCustomer(ctx: Context): Promise<Customer> {
  const { org, obj, key, userId } = await makeSubscriber(ctx, '', 0)
  return { org, obj, key, userId }
}

const { domain: _, ...RECORD } = SAMPLE
export const recordOf = (name: string) => ({ ...RECORD, name })

/** This number of steps, each of which creates a record. */
export const creating = (steps: number): WorkflowStep[] =>
  Array.from({ length: steps }, (_, n) => ({
    key: `s${n}`,
    type: 'create_record',
    config: { object: 'companies', data: recordOf('{{workflow.name}} {{loop.index}}') },
  }))

/** @returns the id of the workflow */
export async function makeWorkflow(
  ctx: Context,
  { org, obj, userId }: Customer,
  definition: WorkflowDefinition,
): Promise<string> {
  const id = newId()
  await ctx.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into workflows (org, id, name, is_enabled, trigger, obj, created_by)
      values (${org}, ${id}, ${id}, true, ${definition.trigger}, ${definition.triggerConfig ? obj : null}, ${userId})`)
    await tx.run(sql`
      insert into workflow_versions (org, workflow, version, definition)
      values (${org}, ${id}, 1, ${JSON.stringify(definition)})`)
    await syncListener(tx, org)
  })
  return id
}

const runOf = (org: number, workflow: string): NewRun => ({
  ...{ org, id: newId(), workflow, version: 1, status: 'queued', title: 'Bench', triggerEvent: 'api' },
  ...{
    concurrencyKey: null,
    concurrencyLimit: 10,
    subject: null,
    input: '{"event":"api","data":{},"parameters":{}}',
  },
  ...{ causeEvent: null, causeRun: null, depth: 0, chain: [], startedBy: null, failure: null, error: null },
})

/** Adds runs that are due immediately, in one statement. @returns their ids */
export async function addRuns(db: Db, { org }: Customer, workflow: string, count: number): Promise<string[]> {
  const runs = Array.from({ length: count }, () => runOf(org, workflow))
  await insertRuns(db, runs, sql`now()`)
  return runs.map(({ id }) => id)
}

export const countOpenOf = (db: Db, workflows: readonly string[]): Promise<number> =>
  db.value<number>(sql`
      select count(*) as n from workflow_runs
      where workflow = any(${workflows}::uuid[]) and status in ('queued', 'running', 'waiting')`)
