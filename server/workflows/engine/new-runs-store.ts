// Statements that insert runs.
import sql, { type Sql } from 'sql-template-tag'
import type { RunFailure } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { OPEN } from './open-runs.ts'

/** The workflow, its version and the record of a run. */
export interface ChainLink {
  workflow: string
  subject: string | null
}

export interface NewRun {
  org: number
  id: string
  workflow: string
  version: number
  status: 'queued' | 'failed' | 'cancelled'
  title: string
  triggerEvent: string
  concurrencyKey: string | null
  concurrencyLimit: number
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

/** Inserts all runs in one statement. */
export const insertRuns = (tx: Db, runs: readonly NewRun[], now: Sql): Promise<number> =>
  tx.run(sql`
    insert into workflow_runs (org, id, workflow, version, status, title, trigger_event, lane, lane_limit, subject, input,
      cause_event, cause_run, depth, chain, started_by, failure, error, due_at, created_at, completed_at)
    select r.org, r.id, r.workflow, r.version, r.status, r.title, r."triggerEvent", r."concurrencyKey", r."concurrencyLimit", r.subject,
      r.input::jsonb, r."causeEvent", r."causeRun", r.depth, r.chain, r."startedBy", r.failure, r.error, ${now}, ${now},
      case when r.status <> 'queued' then ${now} end
    from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) as r(org int, id uuid, workflow uuid, version int, status text,
      title text, "triggerEvent" text, "concurrencyKey" text, "concurrencyLimit" int, subject uuid, input text, "causeEvent" uuid,
      "causeRun" uuid, depth int, chain jsonb, "startedBy" uuid, failure text, error text)`)

export interface KeyRef {
  org: number
  workflow: string
  concurrencyKey: string | null
}

const isOpen = (alias: Sql) => sql`${alias}.status in ${OPEN}`

const keysOf = (refs: readonly KeyRef[]): Sql => sql`
  unnest(${refs.map(({ org }) => org)}::int[], ${refs.map(({ workflow }) => workflow)}::uuid[],
    ${refs.map(({ concurrencyKey }) => concurrencyKey)}::text[]) as k(org, workflow, key)`

/** Locks the workflows of limited concurrency keys, so that only one transaction at a time adds runs to them. */
export const lockWorkflows = (tx: Db, refs: readonly KeyRef[]): Promise<number> =>
  tx.run(sql`
    select from workflows w where (w.org, w.id) in (select k.org, k.workflow from ${keysOf(refs)})
    order by w.org, w.id for no key update`)

export interface OpenRun extends KeyRef {
  id: string
}

/** Open runs with one of the concurrency keys, without runs that a cancellation of all open runs will end. */
export const selectOpenRuns = (tx: Db, refs: readonly KeyRef[]): Promise<OpenRun[]> => {
  const openOf = (isKey: Sql) => sql`
    select k.org, k.workflow, k.key as "concurrencyKey", r.id from ${keysOf(refs)}
    join workflows w on w.org = k.org and w.id = k.workflow
    join workflow_runs r on r.org = k.org and r.workflow = k.workflow and ${isKey} and ${isOpen(sql`r`)}
      and r.id > w.cancelled_to`
  // Two queries, because no index supports `is not distinct from`.
  return tx.many<OpenRun>(sql`
    ${openOf(sql`r.lane = k.key`)} union all ${openOf(sql`k.key is null and r.lane is null`)}`)
}
