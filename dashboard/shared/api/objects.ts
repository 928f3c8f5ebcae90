// Objects and attributes of an organization.
import { queryOptions } from '@tanstack/react-query'
import type { Attribute } from '../../../contract/attributes.ts'
import type { CrmObject, ObjectWithAttributes } from '../../../contract/objects.ts'
import { organizationPath, request } from './client.ts'

export type { Attribute, CrmObject }

export const objectsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'objects'],
    queryFn: async () =>
      (await request<{ objects: CrmObject[] }>('GET', `${organizationPath(org)}/objects`)).objects,
    staleTime: 60_000,
  })

/** One object with its active attributes, by slug or id. */
export const objectQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object],
    queryFn: () => request<ObjectWithAttributes>('GET', `${organizationPath(org)}/objects/${object}`),
    staleTime: 60_000,
  })
