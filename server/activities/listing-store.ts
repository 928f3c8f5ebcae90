// Statements for the lists of activities.

import sql, { join, type Sql } from 'sql-template-tag'
import type { ActivityType } from '../../contract/activity-types.ts'
import { withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import type { CursorPosition } from '../http/cursor.ts'
import { cutToSize, isCut, type Measured } from '../http/page-size.ts'
import type { PageSpan } from '../http/paging.ts'
import { hasText } from '../records/filters/text-search.ts'
import {
  type ActivityRow,
  activityColumns,
  LINKED_OBJECT,
  LINKED_RECORD,
  type StoredActivity,
  shownLinks,
} from './store.ts'

/** Conditions for activities; all must be true. */
export interface ActivityFilters {
  recordId?: string | undefined
  objectId?: string | undefined
  type?: ActivityType | undefined
  /** A user's id. */
  createdBy?: string | undefined
  /** A user's id. */
  assignee?: string | undefined
  /** The earliest activityDate. */
  from?: string | undefined
  /** The end of the span of activityDate, exclusive. */
  to?: string | undefined
  /** Free text in title and summary. */
  q?: string | undefined
  /** The earlier name of `q`. */
  search?: string | undefined
  /** true: open tasks; false: completed tasks. */
  isOpen?: boolean | undefined
  /** true: open tasks whose due date has passed; false: all other activities. */
  isOverdue?: boolean | undefined
}

/** `key` is the date to the microsecond, for the cursor. */
export type ListedActivity = StoredActivity & { key: string }

interface ActivityPage {
  found: ListedActivity[]
  total: number | undefined
  isCut: boolean
}

const isLinked = (org: number, attr: number, target: Sql) =>
  sql`a.id in (select l.id from links l where l.org = ${org} and l.attr = ${attr}::int and l.target = ${target})`

const words = sql`(a.title || chr(10) || a.summary)`

const isTask = (isOpen: boolean) =>
  isOpen
    ? sql`a.type = 'task' and a.completed_at is null`
    : sql`a.type = 'task' and a.completed_at is not null`

/** A task that is dated at its creation has no due date (store.ts `insertActivity`). */
const isUndated = sql`(a.activity_date = uuid_extract_timestamp(a.id))`

const overdue = sql`(a.type = 'task' and a.completed_at is null and a.activity_date < now() and not ${isUndated})`

function conditionsOf(org: number, filters: ActivityFilters): Sql[] {
  const { recordId, objectId, type, createdBy, assignee, from, to, q, search, isOpen, isOverdue } = filters
  return [
    sql`a.org = ${org}`,
    recordId !== undefined && isLinked(org, LINKED_RECORD, sql`${recordId}::uuid`),
    // Not by the rows of links: these stay until the records of a deleted object are removed.
    recordId !== undefined &&
      sql`(${shownLinks}) @> jsonb_build_array(jsonb_build_object('recordId', ${recordId}::text))`,
    objectId !== undefined && isLinked(org, LINKED_OBJECT, sql`${objectId}::uuid`),
    type !== undefined && sql`a.type = ${type}`,
    createdBy !== undefined && sql`a.created_by = ${createdBy}`,
    assignee !== undefined && sql`a.assignee = ${assignee}::uuid`,
    from !== undefined && sql`a.activity_date >= ${from}`,
    to !== undefined && sql`a.activity_date < ${to}`,
    ...[q, search].map((text) => text !== undefined && hasText(words, text)),
    isOpen !== undefined && isTask(isOpen),
    isOverdue !== undefined && (isOverdue ? overdue : sql`not ${overdue}`),
  ].filter((condition) => condition !== false)
}

const NEWEST_FIRST = sql`order by a.activity_date desc, a.id desc`

/** The date to the microsecond; `activities/listing.ts` checks this format. */
const dateKey = sql`to_char(a.activity_date, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const after = ({ key, id }: CursorPosition) =>
  sql`(a.activity_date, a.id) < (${key}::timestamptz, ${id}::uuid)`

type PageRow = ActivityRow & Measured & { id: string | null; total: number | null; key: string }

/** One page of the list, by activityDate descending, then id. */
export async function selectActivityPage(
  db: Db,
  org: number,
  filters: ActivityFilters,
  { position, limit, offset, count }: PageSpan,
): Promise<ActivityPage> {
  const own = conditionsOf(org, filters)
  const rest = position ? [...own, after(position)] : own
  const total = count
    ? sql`(select count(*) from activities a where ${join(own, ' and ')})`
    : sql`null::bigint`
  // One more row than the page has shows whether another page follows.
  const listed = sql`
    select ${activityColumns}, ${dateKey} as key, row_number() over (${NEWEST_FIRST}) as place
    from activities a join users u on u.id = a.created_by
    where ${join(rest, ' and ')} ${NEWEST_FIRST} limit ${limit + 1} offset ${offset}`
  const rows = await db.many<PageRow>(sql`
    with page as (${cutToSize(listed, { text: sql`page.summary`, order: sql`page.place` })})
    select state.total, page.* from (select ${total} as total) as state left join page on true order by page.place`)
  const found = rows.filter(({ id }) => id !== null)
  return { found: found.map(withCreatedAt), total: rows[0]?.total ?? undefined, isCut: isCut(found) }
}

/** Open tasks assigned to a user: by due date, then the tasks without a due date. */
export const selectOwnTasks = async (
  db: Db,
  { org, userId }: { org: number; userId: string },
  limit: number,
): Promise<{ tasks: StoredActivity[]; total: number }> => {
  const own = sql`a.org = ${org} and a.assignee = ${userId}::uuid and ${isTask(true)}`
  const rows = await db.many<ActivityRow & { total: number }>(sql`
    select ${activityColumns}, count(*) over () as total from activities a join users u on u.id = a.created_by
    where ${own} order by ${isUndated}, a.activity_date, a.id limit ${limit}`)
  const tasks = rows.map(({ total: _, ...row }) => withCreatedAt(row))
  return { tasks, total: rows[0]?.total ?? 0 }
}

/** The next activities from a time on, soonest first. Without tasks, which have a separate list. */
export const selectUpcoming = async (
  db: Db,
  org: number,
  { from, limit }: { from: string; limit: number },
): Promise<StoredActivity[]> => {
  const rows = await db.many<ActivityRow>(sql`
    select ${activityColumns} from activities a join users u on u.id = a.created_by
    where a.org = ${org} and a.activity_date >= ${from} and a.type <> 'task'
    order by a.activity_date, a.id limit ${limit}`)
  return rows.map(withCreatedAt)
}
