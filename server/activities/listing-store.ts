// Statements behind the list of activities.
import sql, { join, type Sql } from 'sql-template-tag'
import type { ActivityType } from '../../contract/activity-types.ts'
import type { Db } from '../db/pool.ts'
import type { Position } from '../http/cursor.ts'
import { isNamed } from '../objects/store.ts'
import { lower } from '../records/filters.ts'
import {
  columns,
  LINKED_OBJECT,
  LINKED_RECORD,
  type Row,
  type StoredActivity,
  withCreatedAt,
} from './store.ts'

/** What activities must be; all of it must hold. */
export interface ActivityFilters {
  recordId?: string | undefined
  /** Id or slug. */
  objectId?: string | undefined
  type?: ActivityType | undefined
  /** A user's id. */
  createdBy?: string | undefined
  /** First moment of activityDate. */
  from?: string | undefined
  /** First moment that is too late. */
  to?: string | undefined
  /** In title or summary, whatever the case. */
  search?: string | undefined
  /** true: tasks to be done; false: tasks that are done. */
  isOpen?: boolean | undefined
}

interface ActivityQuery {
  filters: ActivityFilters
  position: Position | undefined
  limit: number
  offset: number
  count: boolean
}

interface ActivityPage {
  activities: StoredActivity[]
  total: number | undefined
  /** Where the next page begins; undefined on the last page. */
  next: Position | undefined
}

const isLinked = (org: number, attr: number, target: Sql) =>
  sql`a.id in (select l.id from links l where l.org = ${org} and l.attr = ${attr}::int and l.target = ${target})`

const holds = (text: Sql, part: string) => sql`strpos(${lower(text)}, ${lower(sql`${part}::text`)}) > 0`

const isTask = (isOpen: boolean) =>
  isOpen
    ? sql`a.type = 'task' and a.completed_at is null`
    : sql`a.type = 'task' and a.completed_at is not null`

function conditionsOf(org: number, filters: ActivityFilters): Sql[] {
  const { recordId, objectId, type, createdBy, from, to, search, isOpen } = filters
  return [
    sql`a.org = ${org}`,
    recordId !== undefined && isLinked(org, LINKED_RECORD, sql`${recordId}::uuid`),
    objectId !== undefined &&
      isLinked(org, LINKED_OBJECT, sql`(select o.id from objects o where ${isNamed(org, objectId)})`),
    type !== undefined && sql`a.type = ${type}`,
    createdBy !== undefined && sql`a.created_by = ${createdBy}`,
    from !== undefined && sql`a.activity_date >= ${from}`,
    to !== undefined && sql`a.activity_date < ${to}`,
    search !== undefined && sql`(${holds(sql`a.title`, search)} or ${holds(sql`a.summary`, search)})`,
    isOpen !== undefined && isTask(isOpen),
  ].filter((condition) => condition !== false)
}

const NEWEST_FIRST = sql`order by a.activity_date desc, a.id desc`

/** The date to the microsecond: `activities/listing.ts` knows its form. */
const dateKey = sql`to_char(a.activity_date, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const after = ({ key, id }: Position) => sql`(a.activity_date, a.id) < (${key}::timestamptz, ${id}::uuid)`

type PageRow = Row & { id: string | null; total: number | null; key: string }

/** One page of the list, by activityDate descending, then id. */
export async function selectPage(db: Db, org: number, query: ActivityQuery): Promise<ActivityPage> {
  const { filters, position, limit, offset, count } = query
  const own = conditionsOf(org, filters)
  const rest = position ? [...own, after(position)] : own
  const total = count
    ? sql`(select count(*) from activities a where ${join(own, ' and ')})`
    : sql`null::bigint`
  // One row more than the page tells whether another follows.
  const rows = await db.many<PageRow>(sql`
    with page as (
      select ${columns}, ${dateKey} as key, row_number() over (${NEWEST_FIRST}) as place
      from activities a join users u on u.id = a.created_by
      where ${join(rest, ' and ')} ${NEWEST_FIRST} limit ${limit + 1} offset ${offset})
    select state.total, page.* from (select ${total} as total) as state left join page on true order by page.place`)
  const found = rows.filter(({ id }) => id !== null)
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    activities: found.slice(0, limit).map(withCreatedAt),
    total: rows[0]?.total ?? undefined,
    next: last && { key: last.key, id: last.id },
  }
}

/** The next activities from a moment on, soonest first; tasks that are done are not ahead any more. */
export const selectUpcoming = async (
  db: Db,
  org: number,
  { from, limit }: { from: string; limit: number },
): Promise<StoredActivity[]> => {
  const rows = await db.many<Row>(sql`
    select ${columns} from activities a join users u on u.id = a.created_by
    where a.org = ${org} and a.activity_date >= ${from} and a.completed_at is null
    order by a.activity_date, a.id limit ${limit}`)
  return rows.map(withCreatedAt)
}
