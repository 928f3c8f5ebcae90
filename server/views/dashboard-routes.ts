// Saved views of an object.
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import { NewView, View, ViewList, ViewPatch } from '../../contract/views.ts'
import type { App } from '../http/request.ts'
import { createView, deleteView, listViews, patchView } from './service.ts'

const ObjectParams = Type.Object({ objectId: Type.String() })
const ViewParams = Type.Object({ objectId: Type.String(), viewId: Type.String() })

export function viewDashboardRoutes(app: App): void {
  app.get(
    '/objects/:objectId/views',
    { config: { scope: 'records:read' }, schema: { params: ObjectParams, response: { 200: ViewList } } },
    async ({ ctx, caller, params }) => ({ views: await listViews(ctx, caller, params.objectId) }),
  )

  app.post(
    '/objects/:objectId/views',
    {
      config: { scope: 'records:read' },
      schema: { params: ObjectParams, body: NewView, response: { 201: View } },
    },
    async ({ ctx, caller, params, body }, reply) => {
      reply.code(201)
      return createView(ctx, caller, params.objectId, body)
    },
  )

  app.patch(
    '/objects/:objectId/views/:viewId',
    {
      config: { scope: 'records:read' },
      schema: { params: ViewParams, body: ViewPatch, response: { 200: View } },
    },
    ({ ctx, caller, role, params, body }) => patchView(ctx, { caller, role }, { ...params, patch: body }),
  )

  app.delete(
    '/objects/:objectId/views/:viewId',
    { config: { scope: 'records:read' }, schema: { params: ViewParams, response: { 200: Deleted } } },
    async ({ ctx, caller, role, params }) => ({
      id: await deleteView(ctx, { caller, role }, params),
      deleted: true as const,
    }),
  )
}
