// The SQL statements for report dashboards.
import sql, { empty } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type {
  ReportDashboard,
  ReportDashboardItem,
  ReportDashboardQuery,
  ReportTile,
  TileReport,
} from '../../../contract/report-dashboards.ts'
import type { ReportRun } from '../../../contract/reports.ts'
import { notFound } from '../../base/errors.ts'
import { withCreatedAt } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { changedUnlessTaken } from '../name-taken.ts'
import { runColumns } from '../store.ts'

const columns = sql`d.id, d.name, d.description, d.updated_at as "updatedAt",
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as creator`

/** By name. */
export async function selectDashboards(
  db: Db,
  org: number,
  { reportId }: ReportDashboardQuery = {},
): Promise<ReportDashboardItem[]> {
  const tile = JSON.stringify([{ reportId: reportId?.toLowerCase() }])
  const holding = reportId === undefined ? empty : sql`and d.layout @> ${tile}::jsonb`
  const rows = await db.many<Omit<ReportDashboardItem, 'createdAt'>>(sql`
    select ${columns}, (
      select count(*)::int from jsonb_to_recordset(d.layout) as t ("reportId" uuid)
      join reports r on r.org = d.org and r.id = t."reportId") as "tileCount"
    from report_dashboards d join users u on u.id = d.created_by
    where d.org = ${org} ${holding} order by lower(d.name), d.id`)
  return rows.map(withCreatedAt)
}

/** `layout`: the saved tiles, whose reports may be deleted. */
export type StoredDashboard = Omit<ReportDashboard, 'tiles' | 'reports'> & { layout: ReportTile[] }

/** @throws 404 not_found */
export async function getDashboard(db: Db, org: number, id: string): Promise<StoredDashboard> {
  const row = isUuid(id)
    ? await db.maybeOne<Omit<StoredDashboard, 'createdAt'>>(sql`
        select ${columns}, d.version, d.layout
        from report_dashboards d join users u on u.id = d.created_by
        where d.org = ${org} and d.id = ${id}`)
    : undefined
  if (!row) throw notFound('dashboard')
  return withCreatedAt(row)
}

/** Locks it for a change. @throws 404 not_found */
export async function lockDashboard(tx: Db, org: number, id: string): Promise<StoredDashboard> {
  if (isUuid(id))
    await tx.run(sql`select from report_dashboards where org = ${org} and id = ${id} for no key update`)
  return getDashboard(tx, org, id)
}

export const countDashboards = (db: Db, org: number): Promise<number> =>
  db.value<number>(sql`select count(*) from report_dashboards where org = ${org}`)

interface Fields {
  name: string
  description: string
  layout: readonly ReportTile[]
}

/** @returns false when another dashboard has the name */
export async function insertDashboard(
  db: Db,
  org: number,
  { id, createdBy, name, description, layout }: Fields & { id: string; createdBy: string },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into report_dashboards (org, id, name, description, layout, created_by)
    values (${org}, ${id}, ${name}, ${description}, ${JSON.stringify(layout)}::jsonb, ${createdBy})
    on conflict (org, name) do nothing`)
  return inserted === 1
}

/** @returns false when another dashboard has the name */
export function updateDashboard(
  tx: Db,
  org: number,
  { id, name, description, layout }: Fields & { id: string },
): Promise<boolean> {
  return changedUnlessTaken(
    tx,
    sql`
      update report_dashboards set name = ${name}, description = ${description},
        layout = ${JSON.stringify(layout)}::jsonb, version = version + 1, updated_at = now()
      where org = ${org} and id = ${id}`,
  )
}

export const deleteDashboardRow = (db: Db, org: number, id: string): Promise<number> =>
  db.run(sql`delete from report_dashboards where org = ${org} and id = ${id}`)

/** The latest run of each report. */
const newestRuns = (
  db: Db,
  org: number,
  { ids, onlyCompleted }: { ids: readonly string[]; onlyCompleted: boolean },
): Promise<ReportRun[]> =>
  db.many<ReportRun>(sql`
    select ${runColumns} from unnest(${ids}::uuid[]) as asked (id) cross join lateral (
      select * from report_runs n where n.org = ${org} and n.report = asked.id
        and (n.status = 'completed' or not ${onlyCompleted}::boolean)
      order by n.id desc limit 1) as n`)

/** The existing reports of `ids`. */
export async function selectTileReports(db: Db, org: number, ids: readonly string[]): Promise<TileReport[]> {
  if (ids.length === 0) return []
  const reports = await db.many<{ id: string; name: string }>(
    sql`select id, name from reports where org = ${org} and id = any(${ids}::uuid[])`,
  )
  const last = await newestRuns(db, org, { ids, onlyCompleted: false })
  const completed = await newestRuns(db, org, { ids, onlyCompleted: true })
  const of = (runs: readonly ReportRun[], id: string) => runs.find(({ reportId }) => reportId === id) ?? null
  return reports.map(({ id, name }) => ({
    ...{ id, name },
    ...{ lastRun: of(last, id), lastCompleted: of(completed, id) },
  }))
}
