// Rules of dashboards: who can change them, and which tiles are valid.
import type {
  NewReportDashboard,
  ReportDashboard,
  ReportDashboardPatch,
  ReportTile,
} from '../../../contract/report-dashboards.ts'
import { REPORT_DASHBOARDS_MAX } from '../../../contract/report-layout.ts'
import { isAtLeast } from '../../../contract/roles.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, insufficientRole, invalid, nameTaken } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { requireMatch } from '../../http/etag.ts'
import { requireStorable } from '../../http/storable.ts'
import type { Writer } from '../service.ts'
import {
  countDashboards,
  deleteDashboardRow,
  getDashboard,
  insertDashboard,
  lockDashboard,
  type StoredDashboard,
  selectTileReports,
  updateDashboard,
} from './store.ts'
import { layoutProblems } from './tiles.ts'

const reportIds = (tiles: readonly ReportTile[]): string[] => [
  ...new Set(tiles.map(({ reportId }) => reportId)),
]

async function withReports(db: Db, org: number, stored: StoredDashboard): Promise<ReportDashboard> {
  const { layout, ...dashboard } = stored
  const reports = await selectTileReports(db, org, reportIds(layout))
  const known = new Set(reports.map(({ id }) => id))
  return { ...dashboard, tiles: layout.filter(({ reportId }) => known.has(reportId)), reports }
}

/** Tiles of deleted reports are left out. @throws 404 not_found */
export const readDashboard = async ({ db }: { db: Db }, org: number, id: string): Promise<ReportDashboard> =>
  withReports(db, org, await getDashboard(db, org, id))

/** Ids may be sent in upper case; they are stored and compared in lower case. */
const withKnownIds = (tiles: readonly ReportTile[]): ReportTile[] =>
  tiles.map((tile) => ({ ...tile, reportId: tile.reportId.toLowerCase() }))

/**
 * A report that was deleted in the meantime is not an error of the user: its tile is removed.
 * @throws 400 validation_error
 */
async function soundLayout(
  db: Db,
  org: number,
  { tiles: asked, before }: { tiles: readonly ReportTile[]; before: readonly ReportTile[] },
): Promise<ReportTile[]> {
  const tiles = withKnownIds(asked)
  const there = new Set((await selectTileReports(db, org, reportIds(tiles))).map(({ id }) => id))
  const problems = layoutProblems(tiles, new Set([...there, ...reportIds(before)]))
  if (problems.length > 0) throw invalid('validation_error', problems)
  return tiles.filter(({ reportId }) => there.has(reportId))
}

interface Named {
  dashboardId: string
  ifMatch?: string | undefined
}

/** @throws 400 validation_error, 409 limit_reached, name_taken */
export async function createDashboard(
  { db }: { db: Db },
  caller: Caller,
  { name, ...optional }: NewReportDashboard,
): Promise<ReportDashboard> {
  const { description, tiles } = { description: optional.description ?? '', tiles: optional.tiles ?? [] }
  requireStorable({ name, description, tiles })
  const layout = await soundLayout(db, caller.org, { tiles, before: [] })
  if ((await countDashboards(db, caller.org)) >= REPORT_DASHBOARDS_MAX)
    throw new AppError(
      'limit_reached',
      `There are already ${REPORT_DASHBOARDS_MAX} dashboards: delete one first`,
    )
  const row = { id: newId(), createdBy: caller.userId, name, description, layout }
  if (!(await insertDashboard(db, caller.org, row))) throw nameTaken('dashboard', name)
  return readDashboard({ db }, caller.org, row.id)
}

/** Only the creator, owners and admins can change a dashboard. @throws 403 insufficient_role, 404 not_found */
async function lockChangeable(tx: Db, { caller, role = 'owner' }: Writer, id: string) {
  const dashboard = await lockDashboard(tx, caller.org, id)
  if (dashboard.creator.id !== caller.userId && !isAtLeast(role, 'admin')) throw insufficientRole('admin')
  return dashboard
}

export const dashboardEtag = ({ version }: Pick<ReportDashboard, 'version'>): string => `"${version}"`

/** @throws 400 validation_error, 403 insufficient_role, 404 not_found, 409 name_taken, wrong_state, 412 */
export function changeDashboard(
  { db }: { db: Db },
  writer: Writer,
  { dashboardId, patch, ifMatch }: Named & { patch: ReportDashboardPatch },
): Promise<ReportDashboard> {
  requireStorable(patch)
  const { org } = writer.caller
  const { basedOn, tiles } = patch
  return db.transaction(async (tx) => {
    const before = await lockChangeable(tx, writer, dashboardId)
    const { id, version } = before
    requireMatch(ifMatch, dashboardEtag(before))
    if (Object.keys(patch).length === 0) return readDashboard({ db: tx }, org, id)
    if (basedOn !== undefined && basedOn !== version)
      throw new AppError(
        'wrong_state',
        `Version ${version} was saved in the meantime: load the dashboard again`,
        {
          version,
        },
      )
    const layout =
      tiles === undefined
        ? before.layout
        : await soundLayout(tx, org, { tiles: tiles ?? [], before: before.layout })
    const { name = before.name, description = before.description } = patch
    if (!(await updateDashboard(tx, org, { id, name, description: description ?? '', layout })))
      throw nameTaken('dashboard', name)
    return readDashboard({ db: tx }, org, id)
  })
}

/** Keeps its reports. @returns its id @throws 403 insufficient_role, 404 not_found, 412 precondition_failed */
export const deleteDashboard = (
  { db }: { db: Db },
  writer: Writer,
  { dashboardId, ifMatch }: Named,
): Promise<string> =>
  db.transaction(async (tx) => {
    const before = await lockChangeable(tx, writer, dashboardId)
    requireMatch(ifMatch, dashboardEtag(before))
    const { id } = before
    await deleteDashboardRow(tx, writer.caller.org, id)
    return id
  })
