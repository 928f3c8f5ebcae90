// One block per line of the specification's Records table, in its order.
import type { FastifyReply } from 'fastify'
import { BULK_BODY_BYTES_MAX } from '../../contract/limits.ts'
import { type CrmRecord, type RecordList, recordRoutes } from '../../contract/records.ts'
import { recordByValueRoutes } from '../../contract/records-by-value.ts'
import type { Caller } from '../base/caller.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { bulkWrite } from './bulk/service.ts'
import { getRecordByValue, upsertByValue } from './by-value/service.ts'
import type { RecordOf } from './read/record-of.ts'
import { getRecord, listRecords, searchRecords } from './read/service.ts'
import { shownRecord } from './read/shown-record.ts'
import { recordEtag, recordJson } from './rows/stored-record.ts'
import { createRecord, deleteManyRecords, deleteRecord, patchRecord } from './write/service.ts'

interface Sent {
  caller: Caller
  data?: unknown
}

function sendRecord(
  reply: FastifyReply,
  { model, record, mergedInto, expanded }: RecordOf,
  { caller, data }: Sent,
): CrmRecord {
  reply.header('etag', recordEtag(record))
  const json = recordJson(model, shownRecord(caller, record, data))
  const more = [
    ...(expanded === undefined ? [] : [`"expanded":${expanded}`]),
    ...(mergedInto === undefined ? [] : [`"mergedInto":"${mergedInto}"`]),
  ]
  return sendJson(reply, more.length === 0 ? json : `${[json.slice(0, -1), ...more].join(',')}}`)
}

export function addRecordRoutes(app: App): void {
  addRoute(
    app,
    { ...recordRoutes.listRecords, isSearch: true },
    async ({ ctx, caller, params, query }, reply) =>
      sendJson<RecordList>(reply, await listRecords(ctx, caller, params.objectId, query)),
  )

  addRoute(
    app,
    { ...recordRoutes.searchRecords, wakes: 'none', isSearch: true },
    async ({ ctx, caller, params, body }, reply) =>
      sendJson<RecordList>(reply, await searchRecords(ctx, caller, params.objectId, body)),
  )

  addRoute(app, recordRoutes.getRecord, async ({ ctx, caller, params, query }, reply) => {
    const asked = { recordId: params.recordId, ...query }
    return sendRecord(reply, await getRecord(ctx, caller, params.objectId, asked), { caller })
  })

  addRoute(
    app,
    { ...recordRoutes.createRecord, wakes: 'events' },
    async ({ ctx, caller, params, body }, reply) =>
      sendRecord(reply, await createRecord(ctx, caller, params.objectId, body), {
        caller,
        data: body.data,
      }),
  )

  addRoute(
    app,
    { ...recordRoutes.updateRecord, wakes: 'events' },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const { data = {}, createMissing } = body
      const patch = { recordId: params.recordId, data, createMissing, ifMatch: headers['if-match'] }
      const patched = await patchRecord(ctx, caller, params.objectId, patch)
      return sendRecord(reply, patched, { caller, data: body.data })
    },
  )

  addRoute(
    app,
    { ...recordRoutes.deleteRecord, wakes: 'events' },
    async ({ ctx, caller, params, query, headers }) => {
      const { permanent: isPermanent = false } = query
      const deletion = { recordId: params.recordId, ifMatch: headers['if-match'], isPermanent }
      const id = await deleteRecord(ctx, caller, params.objectId, deletion)
      return { id, deleted: true as const }
    },
  )

  addRoute(
    app,
    { ...recordRoutes.bulkWriteRecords, wakes: 'events', bodyLimit: BULK_BODY_BYTES_MAX },
    ({ ctx, caller, params, body }) => bulkWrite(ctx, caller, params.objectId, body),
  )

  addRoute(
    app,
    { ...recordRoutes.bulkDeleteRecords, wakes: 'events', bodyLimit: BULK_BODY_BYTES_MAX },
    async ({ ctx, caller, params, query, body }) => {
      const deletion = { ids: body.ids, isPermanent: query.permanent ?? false }
      return { deleted: await deleteManyRecords(ctx, caller, params.objectId, deletion) }
    },
  )
}

/** Routes of one record that is found by a unique value. */
export function addRecordByValueRoutes(app: App): void {
  addRoute(app, recordByValueRoutes.getRecordByValue, async ({ ctx, caller, params, query }, reply) => {
    const asked = { ...params, ...query }
    return sendRecord(reply, await getRecordByValue(ctx, caller, params.objectId, asked), { caller })
  })

  addRoute(
    app,
    { ...recordByValueRoutes.upsertRecordByValue, wakes: 'events' },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const { objectId, slug, value } = params
      const { data, createMissing } = body
      const upsert = { slug, value, data, createMissing, ifMatch: headers['if-match'] }
      const { isCreated, ...written } = await upsertByValue(ctx, caller, objectId, upsert)
      if (isCreated) reply.code(201)
      return sendRecord(reply, written, { caller, data: { [slug]: value, ...data } })
    },
  )
}
