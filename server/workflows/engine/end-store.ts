// Statements that end runs, and wake the runs that waited for them.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { OPEN } from './open-runs.ts'

export interface RunRef {
  org: number
  id: string
}

export interface Ended extends RunRef {
  workflow: string
  concurrencyKey: string | null
}

/** Ends an open run, even if a worker holds it: later writes of that worker are rejected. */
export const cancelOpen = (
  tx: Db,
  { org, ids }: { org: number; ids: readonly string[] },
  { error, by, now }: { error: string; by: string | null; now: Sql },
): Promise<Ended[]> =>
  tx.many<Ended>(sql`
    update workflow_runs set status = 'cancelled', error = ${error}, cancelled_by = ${by}, fence = fence + 1,
      wake_at = null, completed_at = ${now}
    where org = ${org} and id = any(${ids}::uuid[]) and status in ${OPEN}
    returning org, id, workflow, lane as "concurrencyKey"`)

/** An ended run does not need the values of its steps. */
export const forgetValues = (tx: Db, { org, ids }: { org: number; ids: readonly string[] }) =>
  tx.run(sql`delete from workflow_run_values where org = ${org} and run = any(${ids}::uuid[])`)

/** Ends the waiting step of a cancelled run. */
export const endWaitingSteps = (tx: Db, { org, ids }: { org: number; ids: readonly string[] }) =>
  tx.run(sql`
    update workflow_run_steps set status = 'skipped', resume_at = null
    where org = ${org} and run = any(${ids}::uuid[]) and status in ('running', 'waiting')`)

/**
 * Makes the next run with a concurrency key due. It is a separate statement after the statement that ends a run: a
 * worker that found the key in use has then committed, or will check again.
 */
export const wakeNext = (
  tx: Db,
  { org, workflow, concurrencyKey }: Omit<Ended, 'id'>,
  now: Sql,
): Promise<number> => {
  const hasKey = concurrencyKey === null ? sql`lane is null` : sql`lane = ${concurrencyKey}`
  return tx.run(sql`
    update workflow_runs r set due_at = ${now} from (
      select id from workflow_runs
      where org = ${org} and workflow = ${workflow} and ${hasKey} and status in ${OPEN}
        and due_at = 'infinity'
      order by id limit 1 for update skip locked) as next
    where r.org = ${org} and r.id = next.id`)
}

/** As wakeNext for several ended runs of one organization. Wakes the same number of runs, with ids after `after`. */
export const wakeBehind = (
  tx: Db,
  ended: readonly Ended[],
  { after, now }: { after: string; now: Sql },
): Promise<number> => {
  const behind = (hasKey: Sql) => sql`
    select k.org, n.id from keys k cross join lateral (
      select id from workflow_runs r
      where r.org = k.org and r.workflow = k.workflow and ${hasKey} and r.status in ${OPEN}
        and r.due_at = 'infinity' and r.id > ${after}
      order by id limit k.count for update skip locked) as n`
  return tx.run(sql`
    with keys as (
      select org, workflow, key, count(*) as count
      from unnest(${ended.map(({ org }) => org)}::int[], ${ended.map(({ workflow }) => workflow)}::uuid[],
        ${ended.map(({ concurrencyKey }) => concurrencyKey)}::text[]) as e(org, workflow, key)
      group by org, workflow, key)
    update workflow_runs r set due_at = ${now} from (
      ${behind(sql`r.lane = k.key`)} union all ${behind(sql`k.key is null and r.lane is null`)}) as next
    where r.org = next.org and r.id = next.id`)
}
