// Scheduled workflows whose time has come.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

export interface DueWorkflow {
  org: number
  workflow: string
  version: number
  workflowName: string
  nextAt: string
  timeZone: string
  now: string
}

/** Those that another node is at are left to it. */
export const lockDue = (tx: Db, limit: number, now: Sql): Promise<DueWorkflow[]> =>
  tx.many<DueWorkflow>(sql`
    select w.org, w.id as workflow, w.version, w.name as "workflowName", w.next_at as "nextAt", o.time_zone as "timeZone",
      ${now} as now
    from workflows w join organizations o on o.org = w.org
    where w.next_at <= ${now} and w.next_at < 'infinity' and w.is_enabled and w.trigger = 'schedule'
    order by w.next_at limit ${limit} for no key update of w skip locked`)

/** Of locked workflows; null: never again. */
export const setNextTimes = (
  tx: Db,
  times: readonly { org: number; workflow: string; nextAt: Date | null }[],
): Promise<number> =>
  tx.run(sql`
    update workflows w set next_at = coalesce(t.next, 'infinity')
    from unnest(${times.map(({ org }) => org)}::int[], ${times.map(({ workflow }) => workflow)}::uuid[],
      ${times.map(({ nextAt }) => nextAt?.toISOString() ?? null)}::timestamptz[]) as t(org, id, next)
    where w.org = t.org and w.id = t.id`)
