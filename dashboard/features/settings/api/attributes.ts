// Attributes as the settings change them.

import { queryOptions } from '@tanstack/react-query'
import type { OptionsPatch } from '../../../../contract/attribute-options.ts'
import type { AttributePatch, NewAttribute } from '../../../../contract/attributes.ts'
import { request } from '../../../shared/api/client.ts'

export type { AttributePatch, NewAttribute }

/** By displayOrder, inactive ones too. */
export const attributesQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'attributes'],
    queryFn: async () =>
      (
        await request('GET /objects/:objectId/attributes', {
          org,
          params: { objectId: object },
          query: { includeInactive: true },
        })
      ).attributes,
  })

export const createAttribute = (org: string, object: string, body: NewAttribute) =>
  request('POST /objects/:objectId/attributes', { org, params: { objectId: object }, body })

interface Place {
  object: string
  id: string
}
const paramsOf = ({ object, id }: Place) => ({ objectId: object, attributeId: id })

export const updateAttribute = (org: string, place: Place, body: AttributePatch) =>
  request('PATCH /objects/:objectId/attributes/:attributeId', { org, params: paramsOf(place), body })

const OPTIONS_POLL_MS = 1000

/** Asked for again while records are being rewritten. */
export const optionsQuery = (org: string, place: Place) =>
  queryOptions({
    queryKey: [org, 'objects', place.object, 'attributes', place.id, 'options'],
    queryFn: () =>
      request('GET /objects/:objectId/select-attributes/:attributeId', { org, params: paramsOf(place) }),
    refetchInterval: ({ state }) => (state.data?.change ? OPTIONS_POLL_MS : false),
  })

export const changeOptions = (org: string, place: Place, patch: OptionsPatch) =>
  request('PATCH /objects/:objectId/select-attributes/:attributeId', {
    org,
    params: paramsOf(place),
    body: patch,
  })

/** false hides its values, true shows them again. */
export const setAttributeActive = (org: string, place: Place, isActive: boolean) =>
  request('PATCH /objects/:objectId/attributes/:attributeId/active', {
    org,
    params: paramsOf(place),
    body: { isActive },
  })

export const deleteAttribute = (org: string, place: Place) =>
  request('DELETE /objects/:objectId/attributes/:attributeId', { org, params: paramsOf(place) })

/** The last deleted first. */
export const trashedAttributesQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'attributes', 'trash'],
    queryFn: async () =>
      (await request('GET /objects/:objectId/trashed-attributes', { org, params: { objectId: object } }))
        .attributes,
  })

/** @param slug another one, where its own is taken */
export const restoreAttribute = (org: string, place: Place, slug: string | undefined) =>
  request('POST /objects/:objectId/trashed-attributes/:attributeId/restore', {
    org,
    params: paramsOf(place),
    body: { ...(slug !== undefined && { slug }) },
  })

export const purgeAttribute = (org: string, place: Place) =>
  request('DELETE /objects/:objectId/trashed-attributes/:attributeId', { org, params: paramsOf(place) })

export const attributeDeletionQuery = (org: string, place: Place) =>
  queryOptions({
    queryKey: [org, 'objects', place.object, 'attributes', place.id, 'deletion'],
    queryFn: () =>
      request('GET /objects/:objectId/attributes/:attributeId/deletion', { org, params: paramsOf(place) }),
    staleTime: 0,
  })

export const orderAttributes = (org: string, object: string, ids: readonly string[]) =>
  request('PUT /objects/:objectId/attribute-order', { org, params: { objectId: object }, body: { ids } })
