// Determines the end of a change set: the current time of the database, and the newest event or change of a file.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** The time of the database, which the ids of events contain. */
export const selectNow = (db: Db): Promise<Date> =>
  db.one<{ now: string }>(sql`select clock_timestamp() as now`).then(({ now }) => new Date(now))

/** The newest event or change of a file of the organization. Later ones do not belong to a job that begins now. */
export const findLastEvent = (db: Db, org: number): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select l.id from (
      (select id from events where org = ${org} order by id desc limit 1)
      union all
      (select id from attachment_changes where org = ${org} order by id desc limit 1)) as l
    order by l.id desc limit 1`)
