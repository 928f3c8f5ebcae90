// Saved views of an object.
import { queryOptions } from '@tanstack/react-query'
import type { NewView, View, ViewPatch } from '../../../../contract/views.ts'
import { organizationPath, request } from '../../../shared/api/client.ts'

export type { View }

const viewsPath = (org: string, objectId: string) => `${organizationPath(org)}/objects/${objectId}/views`

/** Own and shared ones, by name. */
export const viewsQuery = (org: string, objectId: string) =>
  queryOptions({
    queryKey: [org, 'views', objectId],
    queryFn: async () => (await request<{ views: View[] }>('GET', viewsPath(org, objectId))).views,
    staleTime: 60_000,
  })

export const createView = (org: string, objectId: string, view: NewView) =>
  request<View>('POST', viewsPath(org, objectId), { body: view })

export const patchView = (org: string, { id, objectId }: View, patch: ViewPatch) =>
  request<View>('PATCH', `${viewsPath(org, objectId)}/${id}`, { body: patch })

export const deleteView = (org: string, { id, objectId }: View) =>
  request('DELETE', `${viewsPath(org, objectId)}/${id}`)
