// Statements that bring runs into the world.
import sql, { type Sql } from 'sql-template-tag'
import type { RunFailure } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { OPEN } from './open-runs.ts'

/** Of one workflow on one record, before it is caused by another. */
export interface ChainLink {
  workflow: string
  subject: string | null
}

/** A row of workflow_runs as it begins. */
export interface NewRun {
  org: number
  id: string
  workflow: string
  version: number
  status: 'queued' | 'failed' | 'cancelled'
  title: string
  triggerEvent: string
  lane: string | null
  laneLimit: number
  subject: string | null
  /** JSON text, so that numbers keep their digits. */
  input: string
  causeEvent: string | null
  causeRun: string | null
  depth: number
  chain: readonly ChainLink[]
  startedBy: string | null
  failure: RunFailure | null
  error: string | null
}

/** One statement, however many there are. */
export const insertRuns = (tx: Db, runs: readonly NewRun[], now: Sql): Promise<number> =>
  tx.run(sql`
    insert into workflow_runs (org, id, workflow, version, status, title, trigger_event, lane, lane_limit, subject, input,
      cause_event, cause_run, depth, chain, started_by, failure, error, due_at, created_at, completed_at)
    select r.org, r.id, r.workflow, r.version, r.status, r.title, r."triggerEvent", r.lane, r."laneLimit", r.subject,
      r.input::jsonb, r."causeEvent", r."causeRun", r.depth, r.chain, r."startedBy", r.failure, r.error, ${now}, ${now},
      case when r.status <> 'queued' then ${now} end
    from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) as r(org int, id uuid, workflow uuid, version int, status text,
      title text, "triggerEvent" text, lane text, "laneLimit" int, subject uuid, input text, "causeEvent" uuid,
      "causeRun" uuid, depth int, chain jsonb, "startedBy" uuid, failure text, error text)`)

export interface LaneRef {
  org: number
  workflow: string
  lane: string | null
}

const isOpen = (alias: Sql) => sql`${alias}.status in ${OPEN}`

const lanesOf = (lanes: readonly LaneRef[]): Sql => sql`
  unnest(${lanes.map(({ org }) => org)}::int[], ${lanes.map(({ workflow }) => workflow)}::uuid[],
    ${lanes.map(({ lane }) => lane)}::text[]) as l(org, workflow, lane)`

/** Locks workflows whose concurrency keys have a limit: one transaction at a time adds runs to these. */
export const lockWorkflows = (tx: Db, lanes: readonly LaneRef[]): Promise<number> =>
  tx.run(sql`
    select from workflows w where (w.org, w.id) in (select l.org, l.workflow from ${lanesOf(lanes)})
    order by w.org, w.id for no key update`)

export interface OpenRun extends LaneRef {
  id: string
}

/** Runs of the lanes that have not ended. */
export const selectOpenRuns = (tx: Db, lanes: readonly LaneRef[]): Promise<OpenRun[]> => {
  const openOf = (isLane: Sql) => sql`
    select l.org, l.workflow, l.lane, r.id from ${lanesOf(lanes)}
    join workflow_runs r on r.org = l.org and r.workflow = l.workflow and ${isLane} and ${isOpen(sql`r`)}`
  // Two questions, since no index answers `is not distinct from`.
  return tx.many<OpenRun>(sql`
    ${openOf(sql`r.lane = l.lane`)} union all ${openOf(sql`l.lane is null and r.lane is null`)}`)
}
