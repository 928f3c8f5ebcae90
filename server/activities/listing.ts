// The list of activities: input → page query → response.
import type { Activity } from '../../contract/activities.ts'
import type { Pagination } from '../../contract/common.ts'
import type { Problem } from '../../contract/errors.ts'
import type { Caller } from '../base/caller.ts'
import { invalid } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, type ListParams, pageOf } from '../http/paging.ts'
import { isStorable, NOT_STORABLE } from '../http/storable.ts'
import { selectObjectIds } from '../model/objects/store.ts'
import { findNamedMember } from '../records/filters/named-members.ts'
import { dayOf } from '../records/values/day.ts'
import { type ActivityFilters, type ListedActivity, selectActivityPage } from './listing-store.ts'
import { noSuchObject } from './references.ts'
import { bare } from './store.ts'

type ListInput = ActivityFilters & ListParams

const KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const isKey = (key: unknown): key is string =>
  typeof key === 'string' && KEY.test(key) && dayOf(key) !== undefined

function* problemsOf({ from, to, q, search }: ActivityFilters): Generator<Problem> {
  // The pattern of a timestamp accepts February 30.
  for (const [path, timestamp] of Object.entries({ from, to }))
    if (timestamp !== undefined && dayOf(timestamp) === undefined)
      yield { path, code: 'invalid_date', message: 'must be a timestamp in the years 1 to 9999' }
  for (const [path, text] of Object.entries({ q, search }))
    if (text !== undefined && !isStorable(text)) yield { path, code: 'invalid_text', message: NOT_STORABLE }
}

/** The filters in a normalized form, so that a cursor is valid for every spelling. @throws 400 invalid_parameter */
function canonical(filters: ActivityFilters): ActivityFilters {
  const problems = [...problemsOf(filters)]
  if (problems.length > 0) throw invalid('invalid_parameter', problems)
  const { from, to, recordId, ...rest } = filters
  return {
    ...rest,
    from: from && new Date(from).toISOString(),
    to: to && new Date(to).toISOString(),
    recordId: recordId?.toLowerCase(),
  }
}

/** The user id of the member that the filter names. @throws 400 invalid_parameter */
async function memberOf(db: Db, caller: Caller, input: ActivityFilters, path: 'assignee' | 'createdBy') {
  const named = input[path]
  if (named === undefined) return undefined
  const found = await findNamedMember(db, caller, named)
  if ('value' in found) return found.value
  throw invalid('invalid_parameter', [{ path, code: 'wrong_operand', message: found.problem }])
}

/** @throws 400 invalid_parameter */
async function objectIdOf(db: Db, org: number, ref: string | undefined): Promise<string | undefined> {
  if (ref === undefined) return undefined
  const id = (await selectObjectIds(db, org, [ref])).get(ref)
  if (id !== undefined) return id
  throw invalid('invalid_parameter', [
    { path: 'objectId', code: 'invalid_reference', message: noSuchObject(ref) },
  ])
}

/** @throws 400 invalid_parameter */
export async function listActivities(
  { db }: { db: Db },
  caller: Caller,
  { limit, offset, cursor, count, ...input }: ListInput,
): Promise<{ activities: Activity[]; pagination: Pagination }> {
  const { org } = caller
  const filters = {
    ...canonical(input),
    createdBy: await memberOf(db, caller, input, 'createdBy'),
    assignee: await memberOf(db, caller, input, 'assignee'),
    objectId: await objectIdOf(db, org, input.objectId),
  }
  const seal = sealOf(['activities', org, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))])
  const asked = askedPage({ limit, offset, cursor, count }, { seal, isKey })
  const positionOf = ({ key, id }: ListedActivity) => ({ key, id })
  const { rows, pagination } = pageOf(asked, {
    ...(await selectActivityPage(db, org, filters, asked)),
    positionOf,
  })
  return { activities: rows.map(bare), pagination }
}
