// Saves the state of a run. Each statement does nothing if another worker holds the run.
import sql, { type Sql } from 'sql-template-tag'
import type { RunFailure, RunStatus } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'

/** A run that this process holds, as it was last saved. */
export interface Held {
  org: number
  id: string
  fence: number
  executed: number
  tries: number
}

export interface RunHistoryRow {
  place: number
  path: string
  key: string
  type: string
  status: string
  attempts: number
  /** ISO 8601; an existing row keeps its earlier time. */
  startedAt: string
  /** null: it has not ended */
  endedAt: string | null
  resumeAt: string | null
  /** JSON text */
  input: string
  output: string
  error: string | null
}

export interface WrittenRows {
  /** JSON text by key. */
  values: readonly { key: string; value: string }[]
  history: readonly RunHistoryRow[]
}

/** The position at which the run continues. */
export interface RunProgress extends WrittenRows {
  status: Extract<RunStatus, 'running' | 'waiting'>
  /** JSON text */
  position: string
  executed: number
  tries: number
  /** ISO 8601: when the delay at the position ends. */
  wakeAt: string | null
  /** ISO 8601: when a waiting run is due; null: unchanged. */
  dueAt: string | null
}

const values = ({ values }: WrittenRows): Sql => sql`
  insert into workflow_run_values (org, run, key, value)
  select h.org, h.id, v.key, v.value::jsonb
  from held h cross join unnest(${values.map(({ key }) => key)}::text[], ${values.map(({ value }) => value)}::text[])
    as v(key, value)
  on conflict (org, run, key) do update set value = excluded.value`

const history = ({ history }: WrittenRows): Sql => sql`
  insert into workflow_run_steps as s (org, run, place, path, key, type, status, attempts, started_at, duration_ms, resume_at,
    input, output, error)
  select h.org, h.id, t.place, t.path, t.key, t.type, t.status, t.attempts, t."startedAt",
    extract(epoch from t."endedAt" - t."startedAt") * 1000, t."resumeAt", t.input::jsonb, t.output::jsonb, t.error
  from held h cross join jsonb_to_recordset(${JSON.stringify(history)}::jsonb) as t(place int, path text, key text,
    type text, status text, attempts int, "startedAt" timestamptz, "endedAt" timestamptz, "resumeAt" timestamptz,
    input text, output text, error text)
  on conflict (org, run, place) do update set status = excluded.status, attempts = excluded.attempts,
    duration_ms = case when excluded.duration_ms is not null then
      extract(epoch from excluded.started_at - s.started_at) * 1000 + excluded.duration_ms end,
    resume_at = excluded.resume_at, input = excluded.input, output = excluded.output, error = excluded.error`

/** The position must be unchanged too, because a commit whose response was lost must not be overwritten. */
const isHeld = ({ org, id, fence, executed, tries }: Held): Sql => sql`
  r.org = ${org} and r.id = ${id} and r.fence = ${fence} and r.status = 'running' and r.executed = ${executed}
  and r.tries = ${tries}`

/** @returns false when this process no longer holds the run */
export async function saveRunProgress(db: Db, run: Held, progress: RunProgress): Promise<boolean> {
  const { status, position, executed, tries, wakeAt, dueAt } = progress
  // No index entry changes, so PostgreSQL can keep the new row on the same page (HOT update).
  const due = dueAt === null ? sql`` : sql`, due_at = ${dueAt}`
  const saved = await db.maybeOne(sql`
    with held as (
      update workflow_runs r set status = ${status}, position = ${position}::jsonb, executed = ${executed}, tries = ${tries},
        wake_at = ${wakeAt}${due}
      where ${isHeld(run)} returning r.org, r.id),
    kept_values as (${values(progress)}), kept_steps as (${history(progress)})
    select from held`)
  return saved !== undefined
}

/** An ended run does not need its state. */
const noValues = sql`
  delete from workflow_run_values v using held h where v.org = h.org and v.run = h.id`

export interface End extends WrittenRows {
  status: Extract<RunStatus, 'completed' | 'failed'>
  /** JSON text; for a failed run, the position for a retry. */
  position: string
  executed: number
  failure: RunFailure | null
  error: string | null
  now: Sql
}

/**
 * Ends a run. A failed run keeps its position and values for a retry.
 * @returns when it started and ended; undefined if another worker holds the run
 */
export const saveEnd = (
  tx: Db,
  run: Held,
  end: End,
): Promise<{ startedAt: string; completedAt: string } | undefined> =>
  tx.maybeOne(sql`
    with held as (
      update workflow_runs r set status = ${end.status}, failure = ${end.failure}, error = ${end.error}, wake_at = null,
        position = ${end.position}::jsonb, executed = ${end.executed}, completed_at = ${end.now}
      where ${isHeld(run)} returning r.org, r.id, r.created_at, r.started_at, r.completed_at),
    kept_values as (${end.status === 'failed' ? values(end) : noValues}), kept_steps as (${history(end)})
    select coalesce(started_at, created_at) as "startedAt", completed_at as "completedAt" from held`)
