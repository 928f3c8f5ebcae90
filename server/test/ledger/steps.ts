// A workflow of each organization that creates one person per step for every new company, each exactly once.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { insertWorkflow, step } from '../../workflows/workflow.fixture.ts'
import type { Org } from '../factories.ts'
import { WRITTEN } from './state.ts'

const STEPS = ['First', 'Second']

export const insertStepping = (ctx: Context, org: Org) =>
  insertWorkflow(ctx, org, {
    trigger: 'record/created',
    triggerConfig: { objectId: WRITTEN },
    steps: STEPS.map((lastName) =>
      step('create_record', {
        object: 'people',
        data: { name: { firstName: '{{trigger.recordId}}', lastName } },
      }),
    ),
  })

const countOpenRuns = (db: Db) =>
  db.value<number>(sql`
    select count(*)::int as runs from workflow_runs where status in ('queued', 'running', 'waiting')`)

/** @throws if runs are still open after `timeout` ms */
export const endRuns = (db: Db, timeout: number) =>
  expect.poll(() => countOpenRuns(db), { timeout, interval: 250 }).toBe(0)

/** @returns the steps that were not executed exactly once, and the number of expected steps */
export async function stepFaults(db: Db): Promise<{ faults: string[]; steps: number }> {
  const rows = await db.many<{ marker: string; count: number }>(sql`
    with wanted as (
      select e.org, e.subject::text as company, step
      from events e join objects o on o.org = e.org and o.obj = e.obj, unnest(${STEPS}::text[]) as step
      where o.slug = ${WRITTEN} and e.type = 'record.created'),
    done as (
      select r.org, r.data->'name'->>'firstName' as company, r.data->'name'->>'lastName' as step, count(*)::int as count
      from records r join objects o on o.org = r.org and o.obj = r.obj where o.slug = 'people' group by 1, 2, 3)
    select company || ' ' || step as marker, coalesce(count, 0) as count
    from wanted full join done using (org, company, step)`)
  return {
    faults: rows.filter(({ count }) => count !== 1).map(({ marker, count }) => `${marker}: ${count} times`),
    steps: rows.length,
  }
}
