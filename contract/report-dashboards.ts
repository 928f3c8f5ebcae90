// Dashboards of reports: several reports on one page.
import { type Static, Type } from 'typebox'
import { Clearable, Deleted, listOf, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { wholeListParams } from './paging.ts'
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
import type { ApiRoutes } from './route.ts'

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

export const ReportDashboardItem = StrictObject(
  { ...fields, tileCount: Type.Integer({ minimum: 0 }) },
  { description: 'A dashboard of reports without its tiles' },
)
export type ReportDashboardItem = Static<typeof ReportDashboardItem>
/** The query of GET /report-dashboards. */
export const ReportDashboardQuery = StrictObject({
  ...wholeListParams,
  reportId: Type.Optional({ ...Uuid, description: 'Only dashboards with a tile of this report' }),
})
export type ReportDashboardQuery = Static<typeof ReportDashboardQuery>
export const ReportDashboardList = listOf('dashboards', ReportDashboardItem)

const Run = Nullable(ReportRun)

/** A report on a dashboard, with its last run and its last completed run. */
export const TileReport = StrictObject(
  { id: Uuid, name: Type.String(), lastRun: Run, lastCompleted: Run },
  {
    description: 'A report on a dashboard, with its last run and its last completed run, which can be shown',
  },
)
export type TileReport = Static<typeof TileReport>

export const ReportDashboard = StrictObject(
  {
    ...fields,
    version: Type.Integer({ minimum: 1, description: 'Increases with every change' }),
    tiles: Type.Array(ReportTile, { description: 'Tiles, without tiles whose report was deleted' }),
    reports: Type.Array(TileReport, { description: 'The reports of the tiles, each once' }),
  },
  { description: 'Several reports on one page' },
)
export type ReportDashboard = Static<typeof ReportDashboard>

export const NewReportDashboard = StrictObject({
  name: Name,
  description: Type.Optional(Clearable(Description)),
  tiles: Type.Optional(Clearable(Tiles)),
})
export type NewReportDashboard = Static<typeof NewReportDashboard>

/** Refused with wrong_state if the dashboard was saved after the version `basedOn`. */
export const ReportDashboardPatch = StrictObject({
  name: Type.Optional(Name),
  description: Type.Optional(Clearable(Description)),
  tiles: Type.Optional(Clearable(Tiles)),
  basedOn: Type.Optional(Type.Integer({ minimum: 1, description: 'The `version` that was edited' })),
})
export type ReportDashboardPatch = Static<typeof ReportDashboardPatch>

/** Schemas by their names in the API document. */
export const reportDashboardSchemas = {
  ReportDashboard,
  ReportDashboardItem,
  ReportDashboardList,
  ReportTile,
  TileReport,
  NewReportDashboard,
  ReportDashboardPatch,
}

const exampleItem = {
  id: exampleId(28),
  name: 'Sales this quarter',
  description: 'For the weekly meeting',
  creator: exampleUser,
  ...exampleTimes,
}

const exampleTile = { id: 'won', reportId: exampleId(20), x: 0, y: 0, w: 6, h: 4 }

const exampleDashboard = {
  ...exampleItem,
  version: 1,
  tiles: [exampleTile],
  reports: [{ id: exampleId(20), name: 'Won by month and industry', lastRun: null, lastCompleted: null }],
}

export const severalReportsRoutes = {
  listReportDashboards: {
    at: 'GET /report-dashboards',
    scope: 'reports:read',
    summary: 'List dashboards of reports',
    description: 'Sorted by name.',
    query: ReportDashboardQuery,
    response: { 200: ReportDashboardList },
    example: { response: { dashboards: [{ ...exampleItem, tileCount: 1 }], pagination: exampleWhole } },
  },
  getReportDashboard: {
    at: 'GET /report-dashboards/:dashboardId',
    scope: 'reports:read',
    summary: 'Get a dashboard of reports',
    description: 'Includes the last run of each report. To read results, get the run.',
    response: { 200: ReportDashboard },
    example: { response: exampleDashboard },
  },
  createReportDashboard: {
    at: 'POST /report-dashboards',
    scope: 'reports:write',
    readScope: 'reports:read',
    summary: 'Create a dashboard of reports',
    body: NewReportDashboard,
    response: { 201: ReportDashboard },
    errors: ['name_taken', 'limit_reached'],
    example: { body: { name: exampleItem.name, tiles: [exampleTile] }, response: exampleDashboard },
  },
  updateReportDashboard: {
    at: 'PATCH /report-dashboards/:dashboardId',
    scope: 'reports:write',
    readScope: 'reports:read',
    summary: 'Update a dashboard of reports',
    description:
      'The tiles are replaced as a whole. With `basedOn`, the update is rejected (409 `wrong_state`) if another version was saved since.',
    body: ReportDashboardPatch,
    response: { 200: ReportDashboard },
    errors: ['name_taken', 'wrong_state', 'precondition_failed'],
    example: { body: { name: exampleItem.name, basedOn: 1 }, response: { ...exampleDashboard, version: 2 } },
  },
  deleteReportDashboard: {
    at: 'DELETE /report-dashboards/:dashboardId',
    scope: 'reports:write',
    summary: 'Delete a dashboard of reports',
    description: 'The reports of the dashboard are not deleted.',
    response: { 200: Deleted },
    errors: ['precondition_failed'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
