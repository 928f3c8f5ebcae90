// Recent events of an organization.
import sql from 'sql-template-tag'
import type { RecentRecord } from '../../contract/home.ts'
import { lowestIdAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { recordOf } from '../model/objects/record-lookup.ts'

/** An import may write more events than this: earlier changes are then not shown. */
const EVENTS_READ = 500
const DAYS_READ = 90
const DAY_MS = 86_400_000

export type RecentChange = Omit<RecentRecord, 'name' | 'at'> & { id: string }

/**
 * The latest change of each record among the latest events, newest first. Deleted records and records of inactive
 * objects are left out. The time limit keeps PostgreSQL from opening partitions of older days.
 */
export const selectRecentChanges = (db: Db, org: number, { now, limit }: { now: Date; limit: number }) =>
  db.many<RecentChange>(sql`
    with late as materialized (
      select e.id, e.type, e.obj, e.subject, e.actor, e.version, e.changes from events e
      where e.org = ${org} and e.id >= ${lowestIdAt(new Date(now.getTime() - DAYS_READ * DAY_MS))}
      order by e.id desc limit ${EVENTS_READ}),
    latest as (select distinct on (subject) late.* from late where obj is not null order by subject, id desc)
    select l.id, l.type, l.type = 'record.created' and coalesce(l.version, 1) > 1 as "isRestored", o.id as "objectId", l.subject as "recordId",
      (select coalesce(json_agg(a.name order by a.display_order, a.attr), '[]') from attributes a
        where a.org = ${org} and a.obj = l.obj and a.deleted_at is null and l.changes ? a.slug) as changed,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as actor
    from latest l
    join objects o on o.org = ${org} and o.obj = l.obj and o.is_active and o.deleted_at is null
    ${recordOf({ org, obj: sql`l.obj` }, sql`l.subject`)}
    left join users u on u.id = l.actor
    where l.type in ('record.created', 'record.updated')
    order by l.id desc limit ${limit}`)

const DAYS_SHOWN = 7

/** Activities of each of the seven days up to today, oldest first, in the organization's time zone. */
export const countActivitiesByDay = (db: Db, org: number, now: Date) =>
  db.many<{ date: string; count: number }>(sql`
    with own as (
      select time_zone as zone, (${now.toISOString()}::timestamptz at time zone time_zone)::date as today
      from organizations where org = ${org}),
    days as (
      select today - ${DAYS_SHOWN - 1}::int + n as date, zone from own, generate_series(0, ${DAYS_SHOWN - 1}::int) as n)
    select date, (
      select count(*) from activities a
      where a.org = ${org} and a.activity_date >= date::timestamp at time zone zone
        and a.activity_date < (date + 1)::timestamp at time zone zone) as count
    from days order by date`)
