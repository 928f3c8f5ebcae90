// What events say that members are to be notified of.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { eventsOfEntries, type OutboxEntry } from '../events/outbox-entries.ts'

/** A record that names a user it did not name before. */
export interface Assignment {
  org: number
  event: string
  actor: string | null
  /** The workflow whose step it was. */
  workflow: string | null
  obj: number
  record: string
  attr: number
  userId: string
}

const elements = (value: ReturnType<typeof sql>) => sql`jsonb_array_elements_text(
  case jsonb_typeof(${value}) when 'array' then ${value} when 'string' then jsonb_build_array(${value}) else '[]' end)`

/** Without those by which a user names themselves. */
export const selectAssignments = (tx: Db, entries: readonly OutboxEntry[]): Promise<Assignment[]> =>
  tx.many<Assignment>(sql`
    select distinct on (e.id, named.id) e.org, e.id as event, e.actor, r.workflow, e.obj, e.subject as record, a.attr,
      named.id::uuid as "userId"
    from ${eventsOfEntries(entries)}
    join attributes a on a.org = e.org and a.obj = e.obj and a.deleted_at is null and a.type = 'member'
    left join workflow_runs r on r.org = e.org and r.id = e.run
    cross join lateral (
      select case e.type when 'record.created' then e.data->a.slug else e.changes->a.slug->'to' end as now,
        e.changes->a.slug->'from' as before) as v
    cross join lateral (
      select id from ${elements(sql`v.now`)} as n(id) except select id from ${elements(sql`v.before`)} as b(id)) as named
    where e.type in ('record.created', 'record.updated')
      and (e.run is not null or named.id is distinct from e.actor::text)
    order by e.id, named.id, a.attr`)

export interface FailedRun {
  org: number
  event: string
  workflow: string
  error: string | null
  /** Who made the workflow; if it is enabled, owners and admins too. */
  userIds: string[]
}

/** Not to those who started the run themselves: they see how it ends. */
export const selectFailedRuns = (tx: Db, entries: readonly OutboxEntry[]): Promise<FailedRun[]> =>
  tx.many<FailedRun>(sql`
    select e.org, e.id as event, w.id as workflow, e.data->>'error' as error, array(
      select m.user_id from members m
      where m.organization_id = o.id and m.user_id is distinct from r.started_by
        and (m.user_id = w.created_by or (w.is_enabled and m.role in ('owner', 'admin')))
      order by m.user_id) as "userIds"
    from ${eventsOfEntries(entries)}
    join organizations o on o.org = e.org
    join workflow_runs r on r.org = e.org and r.id = e.subject
    join workflows w on w.org = r.org and w.id = r.workflow
    where e.type = 'workflow.failed'
    order by e.id`)
