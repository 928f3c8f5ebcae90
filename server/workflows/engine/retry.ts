// Retries failed runs. A failed run is final, so the retry is a new run.
import sql, { type Sql } from 'sql-template-tag'
import { newIdAt } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'

interface Retry {
  org: number
  run: string
  /** The new run. */
  id: string
  startedBy: string | null
  now: Sql
}

/**
 * The new run starts at the failed step with the values of the failed run. A person started it, so the count of
 * workflows that trigger each other starts at zero.
 * @returns the number of runs: 0 if the run has not failed
 */
const copyRun = (tx: Db, { org, run, id, startedBy, now }: Retry): Promise<number> =>
  tx.run(sql`
    insert into workflow_runs (org, id, workflow, version, title, trigger_event, lane, lane_limit, subject, input, position,
      executed, cause_event, cause_run, retry_of, first_run, started_by, due_at, created_at)
    select org, ${id}, workflow, version, title, trigger_event, lane, lane_limit, subject, input, position, executed,
      cause_event, cause_run, id, coalesce(first_run, id), ${startedBy}, ${now}, ${now}
    from workflow_runs where org = ${org} and id = ${run} and status = 'failed'`)

const copyValues = (tx: Db, { org, run, id }: Retry): Promise<number> =>
  tx.run(sql`
    insert into workflow_run_values (org, run, key, value)
    select org, ${id}, key, value from workflow_run_values where org = ${org} and run = ${run}`)

/** Copies the history before the position of the new run. */
const copySteps = (tx: Db, { org, run, id }: Retry): Promise<number> =>
  tx.run(sql`
    insert into workflow_run_steps (org, run, place, path, key, type, status, attempts, started_at, duration_ms, input,
      output, error)
    select s.org, ${id}, s.place, s.path, s.key, s.type, s.status, s.attempts, s.started_at, s.duration_ms, s.input,
      s.output, s.error
    from workflow_run_steps s join workflow_runs r on r.org = s.org and r.id = s.run
    where s.org = ${org} and s.run = ${run} and s.place < r.executed`)

/**
 * Runs a failed run again, from the step that failed, with the same version and input.
 * @param startedBy the user who retries it
 * @returns the new run; undefined when the run has not failed or does not exist
 */
export async function retryRun(
  tx: Db,
  org: number,
  run: string,
  { startedBy, now = sql`now()` }: { startedBy: string | null; now?: Sql },
): Promise<{ runId: string } | undefined> {
  const clock = await tx.one<{ now: string }>(sql`select clock_timestamp() as now`)
  const retry = { org, run, id: newIdAt(new Date(clock.now)), startedBy, now }
  if ((await copyRun(tx, retry)) === 0) return undefined
  await copyValues(tx, retry)
  await copySteps(tx, retry)
  return { runId: retry.id }
}
