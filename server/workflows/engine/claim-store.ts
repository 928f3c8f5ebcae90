// Selects the runs that a worker leases: fairly between organizations, in the order of concurrency keys, within limits.
import sql, { type Sql } from 'sql-template-tag'
import { ORG_RUNNING_MAX } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { OPEN } from './open-runs.ts'
import { isStopped, STOPPED_UNTIL } from './stopped-runs.ts'

export const RUN_LEASE_SECONDS = 20
export const lease = sql`make_interval(secs => ${RUN_LEASE_SECONDS})`

/** First half of the key of the advisory lock under which an organization's runs are claimed. */
const CLAIM_LOCK = 740215544

/** Prevents claims of the organization until the transaction ends. Waits for a claim in progress. */
export const lockClaims = (tx: Db, org: number): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(${CLAIM_LOCK}::int, ${org}::int)`)

/** How many due runs of one organization a claim considers. */
const LOOKED_AT = 40

/**
 * At most `limit` organizations with due runs, starting after `after`. Organizations whose runs another process is
 * claiming have `isOurs` false; the others are locked until the transaction ends.
 */
export const claimOrganizations = (
  tx: Db,
  { after, limit, now }: { after: number; limit: number; now: Sql },
): Promise<{ org: number; isOurs: boolean }[]> =>
  tx.many<{ org: number; isOurs: boolean }>(sql`
    with recursive waiting(org, place) as (
      (select org, 1 from workflow_runs where status in ${OPEN} and org > ${after} and due_at <= ${now}
       order by org limit 1)
      union all
      select (select r.org from workflow_runs r where r.status in ${OPEN} and r.org > w.org and r.due_at <= ${now}
              order by r.org limit 1), place + 1
      from waiting w where w.org is not null and place < ${limit})
    select org, pg_try_advisory_xact_lock(${CLAIM_LOCK}::int, org) as "isOurs" from waiting where org is not null`)

/** The data of a run for the worker that leases it. Values that may contain long numbers are JSON text. */
export interface ClaimedRun {
  org: number
  id: string
  /** The first run of a chain of retries; its own id if it is not a retry. */
  firstId: string
  fence: number
  workflow: string
  version: number
  concurrencyKey: string | null
  title: string
  triggerEvent: string
  input: string
  position: string
  executed: number
  tries: number
  wakeAt: string | null
  startedAt: string
  createdAt: string
  values: string
  /** The time of the claim, by the clock of the database. */
  now: string
  workflowName: string
  /** The creator of the workflow; null if that user was deleted. */
  userId: string | null
  orgId: string
  organizationName: string
  timeZone: string
  country: string
  currency: string
}

interface Claim {
  /**
   * The result of claimOrganizations in the same transaction, so that the leases of other processes are visible here.
   */
  orgs: readonly number[]
  /** The maximum number of runs. */
  room: number
  now: Sql
}

/**
 * The due runs, and the open runs before them with the same concurrency key. Runs that others wait for are locked. Due
 * runs of stopped workflows are only put aside.
 */
const looked = ({ orgs, now }: Claim): Sql => sql`
  served(org) as (select unnest(${orgs}::int[])),
  leased as materialized (
    select l.* from served s cross join lateral (
      select org, id, workflow, lane from workflow_runs
      where org = s.org and status = 'running' and due_at > ${now} and due_at <= ${now} + 2 * ${lease} offset 0) as l),
  found as materialized (
    select d.* from served s cross join lateral (
      select org, id, workflow, lane, lane_limit, status, due_at from workflow_runs
      where org = s.org and status in ${OPEN} and due_at <= ${now}
      order by due_at limit ${LOOKED_AT} for update skip locked) as d),
  stopped as materialized (
    select f.org, f.id from found f join workflows w on w.org = f.org and w.id = f.workflow where ${isStopped(sql`f`)}),
  due as materialized (
    select f.* from found f where not exists (select from stopped s where s.org = f.org and s.id = f.id)),
  ahead as materialized (
    select d.org, d.id, d.lane_limit,
      (select count(*) from (
        select from workflow_runs b where b.org = d.org and b.workflow = d.workflow and b.lane = d.lane
          and b.status in ${OPEN} and b.id < d.id limit d.lane_limit) as b) as seen,
      (select count(*) from (
        select from workflow_runs b where b.org = d.org and b.workflow = d.workflow and b.lane = d.lane
          and b.status in ${OPEN} and b.id < d.id limit d.lane_limit for share skip locked) as b) as held
    from due d where d.status = 'queued' and d.lane is not null)`

/** The maximum number of runs of one organization. The same number stays free for later organizations. */
const shareOf = ({ orgs, room }: Claim) =>
  Math.min(ORG_RUNNING_MAX, Math.max(2, Math.floor(room / (orgs.length + 1))))

/**
 * The runs that may start. Each takes one seat of its workflow's limit and one place of its organization. If there is
 * little room, organizations that hold few runs come first: ordered only by age, a long backlog would always win.
 */
const seated = (claim: Claim): Sql => sql`
  free as (
    select d.*, case when d.lane is null then
        (select count(*) from leased l where l.org = d.org and l.workflow = d.workflow and l.lane is null)
        + row_number() over (partition by d.org, d.workflow, d.lane is null order by d.due_at, d.id) end as seat
    from due d left join ahead a on a.org = d.org and a.id = d.id
    where a.seen is null or a.seen < a.lane_limit),
  able as (
    select f.*, row_number() over (partition by f.org order by f.due_at, f.id) as place
    from free f where f.seat is null or f.seat <= f.lane_limit),
  held as (
    select a.org, a.id, a.due_at, a.place + (select count(*) from leased l where l.org = a.org) as place from able a),
  taken as (
    select h.org, h.id from held h where h.place <= ${shareOf(claim)}::int order by h.place, h.due_at limit ${claim.room})`

/**
 * The runs that must wait for others. The others must be locked: a transaction that ends one of them then waits for
 * this transaction, and sees the waiting runs.
 */
const parked = ({ now }: Claim): Sql => sql`
  parked as (
    select a.org, a.id from ahead a where a.held >= a.lane_limit
    union all
    select f.org, f.id from free f where f.seat > f.lane_limit and f.lane_limit <= (
      select count(*) from (
        select from leased l join workflow_runs r on r.org = l.org and r.id = l.id
        where l.org = f.org and l.workflow = f.workflow and l.lane is null and r.status = 'running' and r.due_at > ${now}
        limit f.lane_limit for share of r skip locked) as r))`

interface Claimed {
  runs: ClaimedRun[]
  /** Number of due runs of stopped workflows. More runs may be due after them. */
  stopped: number
}

/**
 * Leases due runs. Runs that wait for their concurrency key get due_at = infinity until it is free. Runs of stopped
 * workflows get due_at = STOPPED_UNTIL.
 */
export async function claimRuns(tx: Db, claim: Claim): Promise<Claimed> {
  const rows = await selectClaimed(tx, claim)
  return { runs: rows.filter(({ id }) => id !== null), stopped: rows[0]?.stopped ?? 0 }
}

/** Returns at least one row; without a run if none is claimed. */
const selectClaimed = (tx: Db, claim: Claim): Promise<(ClaimedRun & { stopped: number })[]> =>
  tx.many<ClaimedRun & { stopped: number }>(sql`
    with ${looked(claim)}, ${seated(claim)}, ${parked(claim)},
    put_to_sleep as (
      update workflow_runs r set due_at = 'infinity' from parked p where r.org = p.org and r.id = p.id),
    put_aside as (
      update workflow_runs r set due_at = ${STOPPED_UNTIL} from stopped s where r.org = s.org and r.id = s.id),
    claimed as (
      update workflow_runs r set status = 'running', due_at = ${claim.now} + ${lease}, fence = r.fence + 1,
        started_at = coalesce(r.started_at, ${claim.now})
      from taken t where r.org = t.org and r.id = t.id
      returning r.*)
    select c.org, c.id, coalesce(c.first_run, c.id) as "firstId", c.fence, c.workflow, c.version, c.lane as "concurrencyKey", c.title, c.trigger_event as "triggerEvent", c.input::text as input,
      c.position::text as position, c.executed, c.tries, c.wake_at as "wakeAt", c.started_at as "startedAt",
      c.created_at as "createdAt", ${claim.now} as now,
      coalesce((select jsonb_object_agg(v.key, v.value) from workflow_run_values v
                where v.org = c.org and v.run = c.id), '{}')::text as values,
      w.name as "workflowName", u.id as "userId", o.id as "orgId", o.name as "organizationName",
      o.time_zone as "timeZone", o.country, o.currency, n.stopped
    from (select count(*)::int as stopped from stopped) as n
    left join (
      claimed c join workflows w on w.org = c.org and w.id = c.workflow
      join organizations o on o.org = c.org left join users u on u.id = w.created_by) on true
    order by c.id`)

interface Held {
  org: number
  id: string
  fence: number
}

const rowsOf = (runs: readonly Held[]): Sql => sql`
  unnest(${runs.map(({ org }) => org)}::int[], ${runs.map(({ id }) => id)}::uuid[],
    ${runs.map(({ fence }) => fence)}::bigint[]) as k(org, id, fence)`

/** Updates only runs that this process still holds. @returns these runs */
const setDue = (db: Db, runs: readonly Held[], dueAt: Sql): Promise<Pick<Held, 'id' | 'fence'>[]> =>
  db.many<Pick<Held, 'id' | 'fence'>>(sql`
    update workflow_runs r set due_at = ${dueAt} from ${rowsOf(runs)}
    where r.org = k.org and r.id = k.id and r.fence = k.fence and r.status = 'running' returning r.id, r.fence`)

/** Renews the leases of all runs of a process. @returns the runs that it still holds */
export const renewLeases = (db: Db, runs: readonly Held[], now: Sql) =>
  setDue(db, runs, sql`${now} + ${lease}`)

/** Releases runs that have not ended: the next worker continues them. */
export const handBack = (db: Db, runs: readonly Held[], now: Sql) => setDue(db, runs, now)
