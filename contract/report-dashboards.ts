// Dashboards: several reports beside each other. Only the dashboard itself asks for them.
import { type Static, Type } from 'typebox'
import { Deleted, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import {
  GRID_COLUMNS,
  GRID_ROWS_MAX,
  REPORT_DASHBOARD_NAME_MAX,
  TILE_HEIGHT_MAX,
  TILE_HEIGHT_MIN,
  TILE_TITLE_MAX,
  TILE_WIDTH_MIN,
  TILES_MAX,
} from './report-layout.ts'
import { ReportRun } from './reports.ts'
import type { DashboardRoutes } from './route.ts'

export const ReportTile = StrictObject(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,40}$',
      description: 'Unique on the dashboard',
      examples: ['a1'],
    }),
    reportId: Uuid,
    x: Type.Integer({ minimum: 0, maximum: GRID_COLUMNS - TILE_WIDTH_MIN, description: 'First column' }),
    y: Type.Integer({ minimum: 0, maximum: GRID_ROWS_MAX - TILE_HEIGHT_MIN, description: 'First row' }),
    w: Type.Integer({ minimum: TILE_WIDTH_MIN, maximum: GRID_COLUMNS, description: 'Columns' }),
    h: Type.Integer({ minimum: TILE_HEIGHT_MIN, maximum: TILE_HEIGHT_MAX, description: 'Rows' }),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        pattern: NOT_BLANK,
        maxLength: TILE_TITLE_MAX,
        description: 'Replaces the name of the report',
      }),
    ),
  },
  { description: 'A report on a grid of 12 columns; tiles do not overlap' },
)
export type ReportTile = Static<typeof ReportTile>

const Name = Type.String({ minLength: 1, maxLength: REPORT_DASHBOARD_NAME_MAX, pattern: NOT_BLANK })
const Description = Type.String({ maxLength: 2000 })
const Tiles = Type.Array(ReportTile, { maxItems: TILES_MAX })

const fields = {
  id: Uuid,
  name: Type.String({ description: 'Unique in the organization' }),
  description: Type.String(),
  creator: UserRef,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const ReportDashboardItem = StrictObject({ ...fields, tileCount: Type.Integer({ minimum: 0 }) })
export type ReportDashboardItem = Static<typeof ReportDashboardItem>
/** Of GET /report-dashboards. */
export const ReportDashboardQuery = StrictObject({
  reportId: Type.Optional({ ...Uuid, description: 'Only dashboards with a tile of this report' }),
})
export type ReportDashboardQuery = Static<typeof ReportDashboardQuery>
export const ReportDashboardList = StrictObject({ dashboards: Type.Array(ReportDashboardItem) })

const Run = Nullable(ReportRun)

/** Of a report on a dashboard: what was last tried, and what can be shown. */
export const TileReport = StrictObject({ id: Uuid, name: Type.String(), lastRun: Run, lastCompleted: Run })
export type TileReport = Static<typeof TileReport>

export const ReportDashboard = StrictObject({
  ...fields,
  version: Type.Integer({ minimum: 1, description: 'Increases with every change' }),
  tiles: Type.Array(ReportTile, { description: 'Without tiles whose report was deleted' }),
  reports: Type.Array(TileReport, { description: 'The reports of the tiles, each once' }),
})
export type ReportDashboard = Static<typeof ReportDashboard>

export const NewReportDashboard = StrictObject({
  name: Name,
  description: Type.Optional(Description),
  tiles: Type.Optional(Tiles),
})
export type NewReportDashboard = Static<typeof NewReportDashboard>

/** Refused with wrong_state when another save came after the version it is based on. */
export const ReportDashboardPatch = StrictObject({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  tiles: Type.Optional(Tiles),
  basedOn: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type ReportDashboardPatch = Static<typeof ReportDashboardPatch>

export const severalReportsRoutes = {
  listReportDashboards: {
    at: 'GET /report-dashboards',
    scope: 'reports:read',
    query: ReportDashboardQuery,
    response: { 200: ReportDashboardList },
  },
  getReportDashboard: {
    at: 'GET /report-dashboards/:dashboardId',
    scope: 'reports:read',
    response: { 200: ReportDashboard },
  },
  createReportDashboard: {
    at: 'POST /report-dashboards',
    scope: 'reports:run',
    body: NewReportDashboard,
    response: { 201: ReportDashboard },
  },
  updateReportDashboard: {
    at: 'PATCH /report-dashboards/:dashboardId',
    scope: 'reports:run',
    body: ReportDashboardPatch,
    response: { 200: ReportDashboard },
  },
  deleteReportDashboard: {
    at: 'DELETE /report-dashboards/:dashboardId',
    scope: 'reports:run',
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes
