// The list of activities: input → page query → answer.
import type { Activity } from '../../contract/activities.ts'
import type { Pagination } from '../../contract/common.ts'
import { PAGE_LIMIT_DEFAULT } from '../../contract/limits.ts'
import type { Caller, Context } from '../context.ts'
import { decodeCursor, encodeCursor, refuseOffsetWith, sealOf } from '../http/cursor.ts'
import { dayOf } from '../records/values/day.ts'
import { selectPage } from './store.ts'

interface ListInput {
  limit?: number
  offset?: number
  cursor?: string
  count?: boolean
  recordId?: string
  objectId?: string
}

const KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const isKey = (key: unknown): key is string =>
  typeof key === 'string' && KEY.test(key) && dayOf(key) !== undefined

/** @throws 400 invalid_parameter */
export async function listActivities(
  { db }: Pick<Context, 'db'>,
  { org }: Pick<Caller, 'org'>,
  { limit = PAGE_LIMIT_DEFAULT, offset = 0, cursor, count = true, recordId, objectId }: ListInput,
): Promise<{ activities: Activity[]; pagination: Pagination }> {
  refuseOffsetWith(cursor, offset)
  const seal = sealOf(['activities', org, recordId?.toLowerCase(), objectId?.toLowerCase()])
  const position = cursor === undefined ? undefined : decodeCursor(cursor, seal, isKey)
  const page = await selectPage(db, org, { recordId, objectId, position, limit, offset, count })
  return {
    activities: page.activities,
    pagination: {
      ...(page.total !== undefined && { total: page.total }),
      limit,
      offset,
      ...(page.next && { nextCursor: encodeCursor(seal, page.next) }),
    },
  }
}
