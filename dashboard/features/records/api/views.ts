// Saved views of an object.
import { queryOptions } from '@tanstack/react-query'
import type { NewView, View, ViewPatch } from '../../../../contract/views.ts'
import { request } from '../../../shared/api/client.ts'

export type { View }

/** The user's own views and shared views, by name. */
export const viewsQuery = (org: string, objectId: string) =>
  queryOptions({
    queryKey: [org, 'views', objectId],
    queryFn: async () => (await request('GET /objects/:objectId/views', { org, params: { objectId } })).views,
    staleTime: 60_000,
  })

export const createView = (org: string, objectId: string, view: NewView) =>
  request('POST /objects/:objectId/views', { org, params: { objectId }, body: view })

export const patchView = (org: string, { id, objectId }: View, patch: ViewPatch) =>
  request('PATCH /objects/:objectId/views/:viewId', { org, params: { objectId, viewId: id }, body: patch })

export const deleteView = (org: string, { id, objectId }: View) =>
  request('DELETE /objects/:objectId/views/:viewId', { org, params: { objectId, viewId: id } })
