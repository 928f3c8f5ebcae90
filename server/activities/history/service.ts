// The history of an activity, newest first, in pages, and the undo of one of its changes.
import type {
  ActivityHistory,
  ActivityUndoBody,
  ActivityUndoCode,
  ActivityUndoConflict,
  UndoneActivityChange,
} from '../../../contract/activity-history.ts'
import { isUuid } from '../../../contract/common.ts'
import { conflictMessage } from '../../../contract/undo.ts'
import { type Caller, shownUser } from '../../base/caller.ts'
import { AppError, invalid, invalidField, notFound } from '../../base/errors.ts'
import { idTime } from '../../base/id.ts'
import { inDryRun } from '../../db/dry-run.ts'
import type { Db } from '../../db/pool.ts'
import { sealOf } from '../../http/cursor.ts'
import { askedPage, type ListParams, pageOf } from '../../http/paging.ts'
import { isoTime } from '../../records/rows/iso-time.ts'
import { EXPIRED } from '../../records/undo/change-store.ts'
import { bare } from '../store.ts'
import { type ActivityChange, type Planned, restoreActivityChange } from '../undo.ts'
import { type ActivityHistoryRow, forgetOnlyChange, selectActivityHistory, selectVersion } from './store.ts'

const timeOf = (id: string) => isoTime(idTime(id))

function shown(caller: Pick<Caller, 'scopes'>, row: ActivityHistoryRow): ActivityHistory['entries'][number] {
  const { id, type, version, actor, apiKey, workflow, changes, restores } = row
  return {
    ...{ id, type, version, at: timeOf(id), actor: shownUser(caller, actor), apiKey, workflow },
    changes: changes === null ? null : JSON.parse(changes),
    restores: restores === null ? null : { entryId: restores, at: timeOf(restores) },
  }
}

/** @throws 400 invalid_parameter, 404 not_found */
export async function activityHistory(
  { db }: { db: Db },
  caller: Pick<Caller, 'org' | 'scopes'>,
  activityId: string,
  params: ListParams,
): Promise<ActivityHistory> {
  const { org } = caller
  const asked = askedPage(params, { seal: sealOf(['activity-history', org, activityId]) })
  const history = isUuid(activityId)
    ? await selectActivityHistory(db, { org, id: activityId }, asked)
    : undefined
  if (!history) throw notFound('activity')
  const { rows, pagination } = pageOf(asked, history)
  return { entries: rows.map((row) => shown(caller, row)), pagination }
}

interface Undo {
  activityId: string
  body: ActivityUndoBody
  dryRun: boolean | undefined
}

/** @throws 400 validation_error, 404 not_found, 409 undo_expired */
async function requireChange(tx: Db, org: number, { activityId: id, body }: Undo): Promise<ActivityChange> {
  const row = isUuid(id) ? await selectVersion(tx, { org, id }, body.version) : undefined
  if (!row) throw notFound('version of this activity')
  if (row.type !== 'activity.updated' || row.isErased || row.before === null)
    throw invalidField(
      'version',
      'no_change',
      'must be a version that an update made, and the version before it must still be stored',
    )
  if (row.isExpired) throw new AppError('undo_expired', EXPIRED)
  return { event: row.event, activityId: id, before: row.before, after: row.after }
}

const valueIn = (values: object | null, field: string): unknown =>
  (values as Record<string, unknown> | null)?.[field] ?? null

const isChanged = ({ before, after }: ActivityChange, field: string) =>
  JSON.stringify(valueIn(before, field)) !== JSON.stringify(valueIn(after, field))

/** @throws 400 validation_error */
function requireChanged(change: ActivityChange, overwrite: readonly string[]): ReadonlySet<string> {
  const problems = [...overwrite.entries()]
    .filter(([, field]) => !isChanged(change, field))
    .map(([index, field]) => ({
      path: `overwrite.${index}`,
      code: 'not_allowed',
      message: `must be a field that this version changed, not ${field}: leave it out`,
    }))
  if (problems.length > 0) throw invalid('validation_error', problems)
  return new Set(overwrite)
}

function conflictOf(
  { change, slug, code, other }: Planned<ActivityChange>['conflicts'][number],
  now: object,
): ActivityUndoConflict {
  const field = slug as ActivityUndoConflict['field']
  const reason = code as ActivityUndoCode
  const message = conflictMessage(field, reason)
  return {
    ...{ field, code: reason, from: valueIn(change.before, field), to: valueIn(change.after, field) },
    ...{ current: valueIn(now, field), otherRecordId: other, message },
  }
}

async function undoIn(tx: Db, caller: Caller, undo: Undo): Promise<UndoneActivityChange> {
  const change = await requireChange(tx, caller.org, undo)
  const overwrite = requireChanged(change, undo.body.overwrite ?? [])
  const { fields, conflicts, before, activity } = await restoreActivityChange(tx, caller, change, overwrite)
  if (conflicts.length === 0) await forgetOnlyChange(tx, caller.org, change.event)
  const changes = Object.entries(fields).map(([field, to]) => [field, { from: valueIn(before, field), to }])
  return {
    activity: bare(activity),
    changes: Object.fromEntries(changes),
    conflicts: conflicts.map((conflict) => conflictOf(conflict, activity)),
  }
}

/** @throws 400 validation_error, 404 not_found, 409 undo_expired */
export const undoActivityChange = (
  { db }: { db: Db },
  caller: Caller,
  undo: Undo,
): Promise<UndoneActivityChange> => inDryRun(db, undo.dryRun, (tx) => undoIn(tx, caller, undo))
