// What the dashboard asks about records beyond the API.
import { Type } from 'typebox'
import { GroupList, GroupQuery } from '../../contract/groups.ts'
import { History } from '../../contract/history.ts'
import { SearchExplanation } from '../../contract/record-explanation.ts'
import { RecordNameList, RecordNameRequest } from '../../contract/record-names.ts'
import { RecordIdList, RecordIdQuery } from '../../contract/record-sets.ts'
import { SearchBody } from '../../contract/records.ts'
import { cursorParam, limitParam } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { groupRecords } from './groups.ts'
import { recordHistory } from './history.ts'
import { recordNames } from './names.ts'
import { explainSearch } from './reading.ts'
import { listRecordIds } from './record-ids.ts'

const ObjectParams = Type.Object({ objectId: Type.String() })
const RecordParams = Type.Object({ objectId: Type.String(), recordId: Type.String() })
const HistoryPage = Type.Object({ limit: limitParam(), cursor: cursorParam }, { additionalProperties: false })

export function recordDashboardRoutes(app: App): void {
  app.post(
    '/record-names',
    {
      config: { scope: 'records:read' },
      schema: { body: RecordNameRequest, response: { 200: RecordNameList } },
    },
    async ({ ctx, caller, body }) => ({ names: await recordNames(ctx, caller.org, body.refs) }),
  )

  app.post(
    '/objects/:objectId/records/groups',
    {
      config: { scope: 'records:read', isSearch: true },
      schema: { params: ObjectParams, body: GroupQuery, response: { 200: GroupList } },
    },
    ({ ctx, caller, params, body }) => groupRecords(ctx, caller, params.objectId, body),
  )

  app.post(
    '/objects/:objectId/records/ids',
    {
      config: { scope: 'records:read', isSearch: true },
      schema: { params: ObjectParams, body: RecordIdQuery, response: { 200: RecordIdList } },
    },
    ({ ctx, caller, params, body }) => listRecordIds(ctx, caller, params.objectId, body),
  )

  app.post(
    '/objects/:objectId/records/search/explain',
    {
      config: { scope: 'records:read', isSearch: true },
      schema: { params: ObjectParams, body: SearchBody, response: { 200: SearchExplanation } },
    },
    ({ ctx, caller, params, body }) => explainSearch(ctx, caller, params.objectId, body),
  )

  app.get(
    '/objects/:objectId/records/:recordId/history',
    {
      config: { scope: 'records:read' },
      schema: { params: RecordParams, querystring: HistoryPage, response: { 200: History } },
    },
    async ({ ctx, caller, params, query }, reply) =>
      sendJson<History>(reply, await recordHistory(ctx, caller, { ...params, ...query })),
  )
}
