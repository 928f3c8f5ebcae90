// Saved views of an object.
import { queryOptions } from '@tanstack/react-query'
import type { NewView, View, ViewPatch } from '../../../../contract/views.ts'
import { request, requestWithEtag } from '../../../shared/api/client.ts'

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

/** The current view, with the ETag for a later change. */
export const readView = (org: string, { id, objectId }: View) =>
  requestWithEtag('GET /objects/:objectId/views/:viewId', { org, params: { objectId, viewId: id } })

interface ViewChange {
  patch: ViewPatch
  ifMatch?: string | undefined
}

export const patchView = (org: string, { id, objectId }: View, { patch, ifMatch }: ViewChange) =>
  request('PATCH /objects/:objectId/views/:viewId', {
    org,
    params: { objectId, viewId: id },
    body: patch,
    ifMatch,
  })

export const deleteView = (org: string, { id, objectId }: View) =>
  request('DELETE /objects/:objectId/views/:viewId', { org, params: { objectId, viewId: id } })
