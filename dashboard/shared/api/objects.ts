// Objects and attributes of an organization.
import { queryOptions } from '@tanstack/react-query'
import type { Attribute } from '../../../contract/attributes.ts'
import type { CrmObject } from '../../../contract/objects.ts'
import { request } from './client.ts'

export type { Attribute, CrmObject }

export const objectsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'objects'],
    queryFn: async () => (await request('GET /objects', { org })).objects,
    staleTime: 60_000,
  })

/** One object with its active attributes, by slug or id. */
export const objectQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object],
    queryFn: () => request('GET /objects/:objectId', { org, params: { objectId: object } }),
    staleTime: 60_000,
  })
