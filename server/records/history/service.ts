// The history of a record, newest first, in pages.

import { type Caller, shownUser } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { idTime } from '../../base/id.ts'
import { sealOf } from '../../http/cursor.ts'
import { askedPage, type ListParams, pageOf } from '../../http/paging.ts'
import { type ModelContext, withModel } from '../../model/attributes/models.ts'
import { requireRecordId } from '../read/record-of.ts'
import { isoTime } from '../rows/iso-time.ts'
import { type HistoryRow, selectHistory } from './store.ts'

const timeOf = (id: string) => isoTime(idTime(id))

const restoresJson = (id: string | null) => (id === null ? null : `{"entryId":"${id}","at":"${timeOf(id)}"}`)

const entryJson = (caller: Pick<Caller, 'scopes'>, entry: HistoryRow): string => {
  const { id, recordId, type, version, actor, apiKey, workflow, changes, mergedIds, restores } = entry
  return `{"id":"${id}","recordId":"${recordId}","type":"${type}","version":${version},"at":"${timeOf(id)}","actor":${JSON.stringify(shownUser(caller, actor))},"apiKey":${JSON.stringify(apiKey)},"workflow":${JSON.stringify(workflow)},"changes":${changes},"restores":${restoresJson(restores)},"mergedIds":${JSON.stringify(mergedIds)}}`
}

/** @returns JSON text shaped as contract/history.ts History @throws 400 invalid_parameter, 404 not_found */
export function recordHistory(
  ctx: ModelContext,
  caller: Pick<Caller, 'org' | 'scopes'>,
  { objectId, recordId: ref }: { objectId: string; recordId: string },
  params: ListParams,
): Promise<string> {
  return withModel(ctx, caller.org, objectId, async (model) => {
    const recordId = requireRecordId(ref)
    const asked = askedPage(params, { seal: sealOf(['history', model.obj, recordId]) })
    const history = await selectHistory(ctx.db, model, recordId, asked)
    if (!history) throw notFound('record')
    const { rows, pagination } = pageOf(asked, history)
    const entries = rows.map((one) => entryJson(caller, one)).join(',')
    const rest = { pagination, nextCursor: pagination.nextCursor }
    return `{"entries":[${entries}],${JSON.stringify(rest).slice(1)}`
  })
}
