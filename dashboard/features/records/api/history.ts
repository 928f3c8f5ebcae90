// The history of a record, newest first.
import type { History } from '../../../../contract/history.ts'
import { pagesQuery } from '../../../shared/api/queries.ts'

export type HistoryEntry = History['entries'][number]

const AT_ONCE = 50

export const historyQuery = (org: string, object: string, record: string) =>
  pagesQuery([org, 'history', object, record], 'GET /objects/:objectId/records/:recordId/history', {
    org,
    params: { objectId: object, recordId: record },
    query: { limit: AT_ONCE, count: false },
  })
