// What the dashboard asks about records beyond the API.
import type { History } from '../../contract/history.ts'
import { recordDashboardRoutes } from '../../contract/record-dashboard.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { groupRecords } from './groups.ts'
import { recordHistory } from './history.ts'
import { recordNames } from './names.ts'
import { explainSearch } from './reading.ts'
import { listRecordIds } from './record-ids.ts'

export function addRecordDashboardRoutes(app: App): void {
  addRoute(app, recordDashboardRoutes.listRecordNames, async ({ ctx, caller, body }) => ({
    names: await recordNames(ctx, caller.org, body.refs),
  }))

  addRoute(app, { ...recordDashboardRoutes.groupRecords, isSearch: true }, ({ ctx, caller, params, body }) =>
    groupRecords(ctx, caller, params.objectId, body),
  )

  addRoute(app, { ...recordDashboardRoutes.listRecordIds, isSearch: true }, ({ ctx, caller, params, body }) =>
    listRecordIds(ctx, caller, params.objectId, body),
  )

  addRoute(app, { ...recordDashboardRoutes.explainSearch, isSearch: true }, ({ ctx, caller, params, body }) =>
    explainSearch(ctx, caller, params.objectId, body),
  )

  addRoute(app, recordDashboardRoutes.listRecordHistory, async ({ ctx, caller, params, query }, reply) =>
    sendJson<History>(reply, await recordHistory(ctx, caller, { ...params, ...query })),
  )
}
