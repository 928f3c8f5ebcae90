// One block per line of the specification's Records table, in its order.
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import { BULK_BODY_BYTES_MAX } from '../../contract/limits.ts'
import {
  BulkDelete,
  BulkDeleted,
  BulkResult,
  BulkWrite,
  CrmRecord,
  NewRecord,
  RecordList,
  RecordPatch,
  SearchBody,
} from '../../contract/records.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { bulkWrite } from './bulk.ts'
import { ListQuery } from './list-query.ts'
import { getRecord, listRecords, searchRecords } from './reading.ts'
import { createRecord, deleteManyRecords, deleteRecord, patchRecord, type RecordOf } from './service.ts'
import { etagOf, recordJson } from './store.ts'

const ObjectRef = Type.String({ description: 'The object’s id, or its slug' })
const ObjectParams = Type.Object({ objectId: ObjectRef })
const RecordParams = Type.Object({ objectId: ObjectRef, recordId: Type.String() })

const search = { scope: 'records:read', isSearch: true, errors: ['query_too_expensive'] } as const

function sendRecord(reply: FastifyReply, { model, record }: RecordOf): CrmRecord {
  reply.header('etag', etagOf(record))
  return sendJson(reply, recordJson(model, record))
}

export function recordRoutes(app: App): void {
  app.get(
    '/objects/:objectId/records',
    {
      config: search,
      schema: { params: ObjectParams, querystring: ListQuery, response: { 200: RecordList } },
    },
    async ({ ctx, caller, params, query }, reply) =>
      sendJson<RecordList>(reply, await listRecords(ctx, caller, params.objectId, query)),
  )

  app.post(
    '/objects/:objectId/records/search',
    {
      config: { ...search, wakes: 'none' },
      schema: { params: ObjectParams, body: SearchBody, response: { 200: RecordList } },
    },
    async ({ ctx, caller, params, body }, reply) =>
      sendJson<RecordList>(reply, await searchRecords(ctx, caller, params.objectId, body)),
  )

  app.get(
    '/objects/:objectId/records/:recordId',
    { config: { scope: 'records:read' }, schema: { params: RecordParams, response: { 200: CrmRecord } } },
    async ({ ctx, caller, params }, reply) =>
      sendRecord(reply, await getRecord(ctx, caller, params.objectId, params.recordId)),
  )

  app.post(
    '/objects/:objectId/records',
    {
      config: { scope: 'records:write', wakes: 'events', errors: ['object_inactive', 'unique_violation'] },
      schema: { params: ObjectParams, body: NewRecord, response: { 201: CrmRecord } },
    },
    async ({ ctx, caller, params, body }, reply) => {
      reply.code(201)
      return sendRecord(reply, await createRecord(ctx, caller, params.objectId, body.data))
    },
  )

  app.patch(
    '/objects/:objectId/records/:recordId',
    {
      config: {
        scope: 'records:write',
        wakes: 'events',
        errors: ['object_inactive', 'unique_violation', 'precondition_failed'],
      },
      schema: { params: RecordParams, body: RecordPatch, response: { 200: CrmRecord } },
    },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const patch = { recordId: params.recordId, data: body.data ?? {}, ifMatch: headers['if-match'] }
      return sendRecord(reply, await patchRecord(ctx, caller, params.objectId, patch))
    },
  )

  app.delete(
    '/objects/:objectId/records/:recordId',
    {
      config: { scope: 'records:write', wakes: 'events', errors: ['object_inactive', 'precondition_failed'] },
      schema: { params: RecordParams, response: { 200: Deleted } },
    },
    async ({ ctx, caller, params, headers }) => {
      const deletion = { recordId: params.recordId, ifMatch: headers['if-match'] }
      const id = await deleteRecord(ctx, caller, params.objectId, deletion)
      return { id, deleted: true as const }
    },
  )

  app.post(
    '/objects/:objectId/records/bulk',
    {
      config: { scope: 'records:write', wakes: 'events', errors: ['object_inactive', 'unique_violation'] },
      bodyLimit: BULK_BODY_BYTES_MAX,
      schema: { params: ObjectParams, body: BulkWrite, response: { 200: BulkResult } },
    },
    ({ ctx, caller, params, body }) => bulkWrite(ctx, caller, params.objectId, body),
  )

  app.delete(
    '/objects/:objectId/records/bulk',
    {
      config: { scope: 'records:write', wakes: 'events', errors: ['object_inactive'] },
      bodyLimit: BULK_BODY_BYTES_MAX,
      schema: { params: ObjectParams, body: BulkDelete, response: { 200: BulkDeleted } },
    },
    async ({ ctx, caller, params, body }) => ({
      deleted: await deleteManyRecords(ctx, caller, params.objectId, body.ids),
    }),
  )
}
