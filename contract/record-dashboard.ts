// What the dashboard asks about records beyond the API.
import { GroupList, GroupQuery } from './groups.ts'
import { History, HistoryPage } from './history.ts'
import { SearchExplanation } from './record-explanation.ts'
import { RecordNameList, RecordNameRequest } from './record-names.ts'
import { RecordIdList, RecordIdQuery } from './record-sets.ts'
import { SearchBody } from './records.ts'
import type { DashboardRoutes } from './route.ts'

export const recordDashboardRoutes = {
  listRecordNames: {
    at: 'POST /record-names',
    scope: 'records:read',
    body: RecordNameRequest,
    response: { 200: RecordNameList },
  },
  groupRecords: {
    at: 'POST /objects/:objectId/records/groups',
    scope: 'records:read',
    body: GroupQuery,
    response: { 200: GroupList },
  },
  listRecordIds: {
    at: 'POST /objects/:objectId/records/ids',
    scope: 'records:read',
    body: RecordIdQuery,
    response: { 200: RecordIdList },
  },
  explainSearch: {
    at: 'POST /objects/:objectId/records/search/explain',
    scope: 'records:read',
    body: SearchBody,
    response: { 200: SearchExplanation },
  },
  listRecordHistory: {
    at: 'GET /objects/:objectId/records/:recordId/history',
    scope: 'records:read',
    query: HistoryPage,
    response: { 200: History },
  },
} satisfies DashboardRoutes
