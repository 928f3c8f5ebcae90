// The list of activities in the trash, the last deleted first.
import sql, { type Sql } from 'sql-template-tag'
import type { TrashedActivity } from '../../../contract/activity-trash.ts'
import { type Caller, shownUser } from '../../base/caller.ts'
import { withCreatedAt } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { sealOf } from '../../http/cursor.ts'
import { cutToSize, isCut, type Measured } from '../../http/page-size.ts'
import { type AskedPage, askedPage, type ListParams, pageOf } from '../../http/paging.ts'
import { microsOf } from '../../records/rows/sorting.ts'
import { beforePosition, isMicros } from '../../records/trash/page-position.ts'
import { shownLinks } from '../store.ts'

interface Row extends Omit<TrashedActivity, 'createdAt'>, Measured {
  /** Microseconds since 1970, because a cursor needs the exact time. */
  micros: number
  bytesBefore: number
}

const user = (alias: Sql): Sql =>
  sql`json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'email', ${alias}.email)`

function selectPage(db: Db, org: number, asked: AskedPage): Promise<Row[]> {
  const listed = sql`
    select a.id, a.type, a.title, a.summary, a.activity_date as "activityDate", a.completed_at as "completedAt", a.assignee,
      ${shownLinks} as "linkedRecords", a.participants, ${user(sql`u`)} as "createdBy", a.version, a.deleted_at as "deletedAt",
      case when d.id is not null then ${user(sql`d`)} end as "deletedBy",
      a.deleted_at + make_interval(days => o.trash_days) as "purgeAt", ${microsOf(sql`a.deleted_at`)} as micros
    from trash_activities a join organizations o on o.org = a.org join users u on u.id = a.created_by
    left join users d on d.id = a.actor
    where a.org = ${org} ${beforePosition(sql`a`, asked)} order by a.deleted_at desc, a.id desc
    limit ${asked.limit + 1} offset ${asked.offset}`
  return db.many<Row>(
    sql`${cutToSize(listed, { text: sql`page.summary`, order: sql`page.micros desc, page.id desc` })} order by micros desc, id desc`,
  )
}

const countAll = (db: Db, org: number): Promise<number> =>
  db.value<number>(sql`select count(*)::int as total from trash_activities where org = ${org}`)

/** @throws 400 invalid_parameter */
export async function listTrashedActivities({ db }: { db: Db }, caller: Caller, params: ListParams) {
  const { org } = caller
  const asked = askedPage(params, { seal: sealOf(['trashed-activities', org]), isKey: isMicros })
  const found = await selectPage(db, org, asked)
  const { rows, pagination } = pageOf(asked, {
    found,
    total: asked.count ? await countAll(db, org) : undefined,
    isCut: isCut(found),
    positionOf: ({ micros, id }: Row) => ({ key: String(micros), id }),
  })
  const activities = rows.map(({ micros: _, rowCount: __, bytesBefore: ___, deletedBy, ...row }) => ({
    ...withCreatedAt(row),
    deletedBy: shownUser(caller, deletedBy),
  }))
  return { activities, pagination }
}
