// Requests for dashboards, which show several reports.
import { queryOptions } from '@tanstack/react-query'
import type {
  NewReportDashboard,
  ReportDashboard,
  ReportDashboardItem,
  ReportDashboardPatch,
  ReportTile,
  TileReport,
} from '../../../../contract/report-dashboards.ts'
import { request } from '../../../shared/api/client.ts'
import { fieldQuery, requestQuery } from '../../../shared/api/queries.ts'

export type { ReportDashboard, ReportDashboardItem, ReportTile, TileReport }

const paramsOf = (id: string) => ({ dashboardId: id })

/** Polling interval: workflows, API keys and other users run reports too. */
const LOOK_AGAIN_MS = 20_000

/** Sorted by name. */
export const reportDashboardsQuery = (org: string) =>
  fieldQuery([org, 'report-dashboards', 'list'], 'GET /report-dashboards', { org }, 'dashboards')

/** Dashboards with a tile of the report, sorted by name. */
export const dashboardsOfReportQuery = (org: string, reportId: string) =>
  fieldQuery(
    [...reportDashboardsQuery(org).queryKey, 'of', reportId],
    'GET /report-dashboards',
    { org, query: { reportId } },
    'dashboards',
  )

/** A dashboard with its tiles and the newest runs of their reports. */
export const reportDashboardQuery = (org: string, id: string) =>
  queryOptions({
    ...requestQuery([org, 'report-dashboards', 'one', id], 'GET /report-dashboards/:dashboardId', {
      org,
      params: paramsOf(id),
    }),
    refetchInterval: LOOK_AGAIN_MS,
  })

/** @throws ApiError 409 name_taken, limit_reached */
export const createReportDashboard = (org: string, body: NewReportDashboard) =>
  request('POST /report-dashboards', { org, body })

/** @throws ApiError 403 insufficient_role, 409 name_taken, wrong_state after another person's change */
export const updateReportDashboard = (org: string, id: string, body: ReportDashboardPatch) =>
  request('PATCH /report-dashboards/:dashboardId', { org, params: paramsOf(id), body })

/** Does not delete the reports. @throws ApiError 403 insufficient_role */
export const deleteReportDashboard = (org: string, id: string) =>
  request('DELETE /report-dashboards/:dashboardId', { org, params: paramsOf(id) })
