// Routes for groups, ids, names and history of records, and for the explanation of a search.
import type { History } from '../../contract/history.ts'
import { recordReadingRoutes } from '../../contract/record-reading.ts'
import type { RecordList } from '../../contract/records.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { groupRecords } from './groups/service.ts'
import { summarizeRecords } from './groups/summaries.ts'
import { recordHistory } from './history/service.ts'
import { namesWithHints } from './names/hints.ts'
import { recordNames } from './names/names.ts'
import { listRecordIds } from './read/record-ids.ts'
import { listRelatedRecords } from './read/related.ts'
import { explainSearch } from './read/service.ts'

export function addRecordReadingRoutes(app: App): void {
  addRoute(
    app,
    recordReadingRoutes.listRecordNames,
    async ({ ctx, caller, body: { refs, includeHints } }) => ({
      names: await (includeHints ? namesWithHints : recordNames)(ctx, caller.org, refs),
    }),
  )

  addRoute(app, { ...recordReadingRoutes.groupRecords, isSearch: true }, ({ ctx, caller, params, body }) =>
    groupRecords(ctx, caller, params.objectId, body),
  )

  addRoute(
    app,
    { ...recordReadingRoutes.listRelatedRecords, isSearch: true },
    async ({ ctx, caller, params, query }, reply) =>
      sendJson<RecordList>(reply, await listRelatedRecords(ctx, caller, params, query)),
  )

  addRoute(
    app,
    { ...recordReadingRoutes.summarizeRecords, isSearch: true },
    ({ ctx, caller, params, body }) => summarizeRecords(ctx, caller, params.objectId, body),
  )

  addRoute(app, { ...recordReadingRoutes.listRecordIds, isSearch: true }, ({ ctx, caller, params, body }) =>
    listRecordIds(ctx, caller, params.objectId, body),
  )

  addRoute(app, { ...recordReadingRoutes.explainSearch, isSearch: true }, ({ ctx, caller, params, body }) =>
    explainSearch(ctx, caller, params.objectId, body),
  )

  addRoute(app, recordReadingRoutes.listRecordHistory, async ({ ctx, caller, params, query }, reply) =>
    sendJson<History>(reply, await recordHistory(ctx, caller, params, query)),
  )
}
