// The history of a record, newest first, in pages.
import { withModel } from '../attributes/models.ts'
import { type Caller, shownUser } from '../caller.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { decodeCursor, encodeCursor, sealOf } from '../http/cursor.ts'
import { idTime } from '../id.ts'
import { type HistoryRow, selectHistory } from './history-store.ts'
import { isoTime } from './iso-time.ts'
import { requireRecordId } from './service.ts'

const LIMIT_DEFAULT = 50

interface HistoryInput {
  objectId: string
  recordId: string
  limit?: number
  cursor?: string
}

const timeOf = (id: string) => isoTime(idTime(id))

const restoresJson = (id: string | null) => (id === null ? null : `{"entryId":"${id}","at":"${timeOf(id)}"}`)

const entryJson = (caller: Pick<Caller, 'scopes'>, entry: HistoryRow): string => {
  const { id, recordId, type, version, actor, apiKey, workflow, changes, mergedIds, restores } = entry
  return `{"id":"${id}","recordId":"${recordId}","type":"${type}","version":${version},"at":"${timeOf(id)}","actor":${JSON.stringify(shownUser(caller, actor))},"apiKey":${JSON.stringify(apiKey)},"workflow":${JSON.stringify(workflow)},"changes":${changes},"restores":${restoresJson(restores)},"mergedIds":${JSON.stringify(mergedIds)}}`
}

const isNull = (key: unknown): key is null => key === null

/** @returns JSON text shaped as contract/history.ts History @throws 400 invalid_parameter, 404 not_found */
export function recordHistory(
  ctx: Pick<Context, 'db' | 'models'>,
  caller: Pick<Caller, 'org' | 'scopes'>,
  { objectId, recordId: ref, limit = LIMIT_DEFAULT, cursor }: HistoryInput,
): Promise<string> {
  return withModel(ctx, caller.org, objectId, async (model) => {
    const recordId = requireRecordId(ref)
    const seal = sealOf(['history', model.obj, recordId])
    const before = cursor === undefined ? null : decodeCursor(cursor, seal, isNull).id
    const rows = await selectHistory(ctx.db, model, { recordId, before, limit: limit + 1 })
    if (!rows) throw notFound('record')
    const entries = rows.slice(0, limit)
    const last = rows.length > limit ? entries.at(-1) : undefined
    const next = last ? `,"nextCursor":"${encodeCursor(seal, { key: null, id: last.id })}"` : ''
    return `{"entries":[${entries.map((one) => entryJson(caller, one)).join(',')}]${next}}`
  })
}
