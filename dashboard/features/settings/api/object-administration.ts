// Objects as the settings change them. Every key is below that of objects.ts, so that one refresh reaches all.
import { queryOptions } from '@tanstack/react-query'
import type { ObjectDeletion } from '../../../../contract/deletion.ts'
import type { ObjectOverview } from '../../../../contract/object-overview.ts'
import type { CrmObject, NewObject, ObjectPatch } from '../../../../contract/objects.ts'
import { organizationPath, request } from '../../../shared/api/client.ts'

export type { NewObject, ObjectDeletion, ObjectOverview }

const objectPath = (org: string, object: string) => `${organizationPath(org)}/objects/${object}`

/** Inactive ones too, with their sizes. No slug has the form of the key's last part. */
export const allObjectsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'objects', '(all)'],
    queryFn: async () =>
      (await request<{ objects: ObjectOverview[] }>('GET', `${organizationPath(org)}/all-objects`)).objects,
  })

export const createObject = (org: string, body: NewObject) =>
  request<CrmObject>('POST', `${organizationPath(org)}/objects`, { body })

export const patchObject = (org: string, object: string, body: ObjectPatch) =>
  request<CrmObject>('PATCH', objectPath(org, object), { body })

export const deleteObject = (org: string, object: string) => request('DELETE', objectPath(org, object))

/** What deleting it would take with it. For owners and admins. */
export const objectDeletionQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'deletion'],
    queryFn: () => request<ObjectDeletion>('GET', `${objectPath(org, object)}/deletion`),
    staleTime: 0,
  })
