// Statements about scheduled and due workflows.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

interface LockedWorkflow {
  org: number
  workflow: string
  version: number
  workflowName: string
  nextAt: string
  now: string
}

export interface DueWorkflow extends LockedWorkflow {
  timeZone: string
}

const selectTimeZones = (tx: Db, orgs: readonly number[]) =>
  tx.many<{ org: number; timeZone: string }>(
    sql`select org, time_zone as "timeZone" from organizations where org = any(${orgs}::int[])`,
  )

/** Enabled schedules with a next time, also one that is already due. */
const IS_SCHEDULED = sql`w.next_at < 'infinity' and w.is_enabled and w.trigger = 'schedule'`

/** Locks due workflows. Skips workflows that another node has locked. */
export async function lockDue(tx: Db, limit: number, now: Sql): Promise<DueWorkflow[]> {
  const locked = await tx.many<LockedWorkflow>(sql`
    select w.org, w.id as workflow, w.version, w.name as "workflowName", w.next_at as "nextAt", ${now} as now
    from workflows w
    where w.next_at <= ${now} and ${IS_SCHEDULED}
    order by w.next_at limit ${limit} for no key update skip locked`)
  if (locked.length === 0) return []
  // Read after the lock: a transaction that changes a time zone waits for these rows, or has committed before.
  const zones = await selectTimeZones(tx, [...new Set(locked.map(({ org }) => org))])
  const zoneOf = new Map(zones.map(({ org, timeZone }) => [org, timeZone]))
  return locked.map((one) => ({ ...one, timeZone: zoneOf.get(one.org) ?? 'UTC' }))
}

interface Scheduled {
  org: number
  workflow: string
  version: number
  isDue: boolean
}

export const selectScheduling = async (db: Db): Promise<number[]> =>
  (
    await db.many<{ org: number }>(
      sql`select distinct w.org from workflows w where ${IS_SCHEDULED} order by w.org`,
    )
  ).map(({ org }) => org)

/** Locks all scheduled workflows of an organization. Waits for workflows that are just being started. */
export const lockScheduled = (tx: Db, org: number): Promise<Scheduled[]> =>
  tx.many<Scheduled>(sql`
    select w.org, w.id as workflow, w.version, w.next_at <= now() as "isDue" from workflows w
    where w.org = ${org} and ${IS_SCHEDULED}
    order by w.id for no key update`)

/** Sets the next times of locked workflows; null: never again. */
export const setNextTimes = (
  tx: Db,
  times: readonly { org: number; workflow: string; nextAt: Date | null }[],
): Promise<number> =>
  tx.run(sql`
    update workflows w set next_at = coalesce(t.next, 'infinity')
    from unnest(${times.map(({ org }) => org)}::int[], ${times.map(({ workflow }) => workflow)}::uuid[],
      ${times.map(({ nextAt }) => nextAt?.toISOString() ?? null)}::timestamptz[]) as t(org, id, next)
    where w.org = t.org and w.id = t.id`)
