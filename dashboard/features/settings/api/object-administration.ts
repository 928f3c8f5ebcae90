// Objects as the settings change them. Every key is below that of objects.ts, so that one refresh reaches all.
import { queryOptions } from '@tanstack/react-query'
import type { ObjectDeletion } from '../../../../contract/deletion.ts'
import type { ObjectOverview } from '../../../../contract/object-overview.ts'
import type { NewObject, ObjectPatch } from '../../../../contract/objects.ts'
import { request } from '../../../shared/api/client.ts'

export type { NewObject, ObjectDeletion, ObjectOverview }

/** Inactive ones too, with their sizes. No slug has the form of the key's last part. */
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

/** What deleting it would take with it. For owners and admins. */
export const objectDeletionQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'deletion'],
    queryFn: () => request('GET /objects/:objectId/deletion', { org, params: { objectId: object } }),
    staleTime: 0,
  })

/** The last deleted first. No slug has the form of the key's last part. */
export const trashedObjectsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'objects', '(deleted)'],
    queryFn: async () => (await request('GET /trashed-objects', { org })).objects,
  })

/** @param slug another one, where its own is taken */
export const restoreObject = (org: string, id: string, slug: string | undefined) =>
  request('POST /trashed-objects/:objectId/restore', {
    org,
    params: { objectId: id },
    body: { ...(slug !== undefined && { slug }) },
  })

export const purgeObject = (org: string, id: string) =>
  request('DELETE /trashed-objects/:objectId', { org, params: { objectId: id } })
