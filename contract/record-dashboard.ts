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
    method: 'POST',
    path: '/record-names',
    scope: 'records:read',
    body: RecordNameRequest,
    response: { 200: RecordNameList },
  },
  groupRecords: {
    method: 'POST',
    path: '/objects/:objectId/records/groups',
    scope: 'records:read',
    body: GroupQuery,
    response: { 200: GroupList },
  },
  listRecordIds: {
    method: 'POST',
    path: '/objects/:objectId/records/ids',
    scope: 'records:read',
    body: RecordIdQuery,
    response: { 200: RecordIdList },
  },
  explainSearch: {
    method: 'POST',
    path: '/objects/:objectId/records/search/explain',
    scope: 'records:read',
    body: SearchBody,
    response: { 200: SearchExplanation },
  },
  listRecordHistory: {
    method: 'GET',
    path: '/objects/:objectId/records/:recordId/history',
    scope: 'records:read',
    query: HistoryPage,
    response: { 200: History },
  },
} satisfies DashboardRoutes
