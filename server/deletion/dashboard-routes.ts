// What deleting something would take with it: asked before the dashboard asks "delete?".
import { Type } from 'typebox'
import {
  AttributeDeletion,
  ObjectDeletion,
  RecordDeletion,
  RecordDeletionQuery,
} from '../../contract/deletion.ts'
import type { App } from '../http/request.ts'
import { foreseeAttributeDeletion, foreseeObjectDeletion, foreseeRecordDeletion } from './service.ts'

const ObjectParams = Type.Object({ objectId: Type.String() })
const AttributeParams = Type.Object({ objectId: Type.String(), attributeId: Type.String() })

export function deletionDashboardRoutes(app: App): void {
  app.get(
    '/objects/:objectId/deletion',
    {
      config: { scope: 'objects:write' },
      schema: { params: ObjectParams, response: { 200: ObjectDeletion } },
    },
    ({ ctx, caller, params }) => foreseeObjectDeletion(ctx, caller.org, params.objectId),
  )

  app.get(
    '/objects/:objectId/attributes/:attributeId/deletion',
    {
      config: { scope: 'attributes:write' },
      schema: { params: AttributeParams, response: { 200: AttributeDeletion } },
    },
    ({ ctx, caller, params }) => foreseeAttributeDeletion(ctx, caller.org, params),
  )

  app.post(
    '/objects/:objectId/records/deletion',
    {
      config: { scope: 'records:write' },
      schema: { params: ObjectParams, body: RecordDeletionQuery, response: { 200: RecordDeletion } },
    },
    ({ ctx, caller, params, body }) => foreseeRecordDeletion(ctx, caller, params.objectId, body),
  )
}
