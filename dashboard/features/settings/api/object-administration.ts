// Requests of the settings for objects. The query keys begin with the key of objects.ts, so that one invalidation
// covers all.
import { queryOptions } from '@tanstack/react-query'
import type { ObjectDeletion } from '../../../../contract/deletion.ts'
import type { ObjectOverview } from '../../../../contract/object-overview.ts'
import type { NewObject, ObjectPatch } from '../../../../contract/objects.ts'
import { request } from '../../../shared/api/client.ts'

export type { NewObject, ObjectDeletion, ObjectOverview }

/** Includes inactive objects, with their sizes. The last part of the key cannot be a slug. */
export const allObjectsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'objects', '(all)'],
    queryFn: async () => (await request('GET /all-objects', { org })).objects,
  })

export const createObject = (org: string, body: NewObject) => request('POST /objects', { org, body })

export const patchObject = (org: string, object: string, body: ObjectPatch) =>
  request('PATCH /objects/:objectId', { org, params: { objectId: object }, body })

export const deleteObject = (org: string, object: string) =>
  request('DELETE /objects/:objectId', { org, params: { objectId: object } })

/** What deleting the object would also delete. For owners and admins. */
export const objectDeletionQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'deletion'],
    queryFn: () => request('GET /objects/:objectId/deletion', { org, params: { objectId: object } }),
    staleTime: 0,
  })

/** The most recently deleted first. The last part of the key cannot be a slug. */
export const trashedObjectsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'objects', '(deleted)'],
    queryFn: async () => (await request('GET /trashed-objects', { org })).objects,
  })

/** @param slug a new slug, needed if the original one is taken */
export const restoreObject = (org: string, id: string, slug: string | undefined) =>
  request('POST /trashed-objects/:objectId/restore', {
    org,
    params: { objectId: id },
    body: { ...(slug !== undefined && { slug }) },
  })

export const purgeObject = (org: string, id: string) =>
  request('DELETE /trashed-objects/:objectId', { org, params: { objectId: id } })
