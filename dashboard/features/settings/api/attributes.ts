// Requests of the settings for attributes.

import { queryOptions } from '@tanstack/react-query'
import type { OptionChange, OptionsPatch, OptionUse } from '../../../../contract/attribute-options.ts'
import type { AttributePatch, NewAttribute } from '../../../../contract/attributes.ts'
import { request } from '../../../shared/api/client.ts'

export type { AttributePatch, NewAttribute }

/** Sorted by displayOrder, including inactive attributes. */
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

export interface AttributeKey {
  object: string
  id: string
}
const paramsOf = ({ object, id }: AttributeKey) => ({ objectId: object, attributeId: id })

export const updateAttribute = (org: string, attribute: AttributeKey, body: AttributePatch) =>
  request('PATCH /objects/:objectId/attributes/:attributeId', { org, params: paramsOf(attribute), body })

const OPTIONS_POLL_MS = 1000

const fetchOptions = (org: string, attribute: AttributeKey) =>
  request('GET /objects/:objectId/select-attributes/:attributeId', { org, params: paramsOf(attribute) })

/** Polled while records are rewritten. */
export const optionsQuery = (org: string, attribute: AttributeKey) =>
  queryOptions({
    queryKey: [org, 'objects', attribute.object, 'attributes', attribute.id, 'options'],
    queryFn: () => fetchOptions(org, attribute),
    refetchInterval: ({ state }) => (state.data?.change ? OPTIONS_POLL_MS : false),
  })

/** @param changeSetId the change set that the rewriting of records belongs to */
export const changeOptions = (
  org: string,
  attribute: AttributeKey,
  patch: OptionsPatch,
  changeSetId?: string,
) =>
  request('PATCH /objects/:objectId/select-attributes/:attributeId', {
    org,
    params: paramsOf(attribute),
    body: patch,
    changeSetId,
  })

/** Resolves when no records are being rewritten. @returns the options @param onProgress receives the rewritten records */
export async function writtenOptions(
  org: string,
  attribute: AttributeKey,
  onProgress: (change: OptionChange) => void,
): Promise<readonly OptionUse[]> {
  for (;;) {
    const { options, change } = await fetchOptions(org, attribute)
    if (!change) return options
    onProgress(change)
    await new Promise((resolve) => setTimeout(resolve, OPTIONS_POLL_MS))
  }
}

/** false hides the attribute and its values, true shows them again. */
export const setAttributeActive = (org: string, attribute: AttributeKey, isActive: boolean) =>
  request('PATCH /objects/:objectId/attributes/:attributeId/active', {
    org,
    params: paramsOf(attribute),
    body: { isActive },
  })

export const deleteAttribute = (org: string, attribute: AttributeKey) =>
  request('DELETE /objects/:objectId/attributes/:attributeId', { org, params: paramsOf(attribute) })

/** The most recently deleted first. */
export const trashedAttributesQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'attributes', 'trash'],
    queryFn: async () =>
      (await request('GET /objects/:objectId/trashed-attributes', { org, params: { objectId: object } }))
        .attributes,
  })

/** @param slug a new slug, needed if the original one is taken */
export const restoreAttribute = (org: string, attribute: AttributeKey, slug: string | undefined) =>
  request('POST /objects/:objectId/trashed-attributes/:attributeId/restore', {
    org,
    params: paramsOf(attribute),
    body: { ...(slug !== undefined && { slug }) },
  })

export const purgeAttribute = (org: string, attribute: AttributeKey) =>
  request('DELETE /objects/:objectId/trashed-attributes/:attributeId', { org, params: paramsOf(attribute) })

export const attributeDeletionQuery = (org: string, attribute: AttributeKey) =>
  queryOptions({
    queryKey: [org, 'objects', attribute.object, 'attributes', attribute.id, 'deletion'],
    queryFn: () =>
      request('GET /objects/:objectId/attributes/:attributeId/deletion', {
        org,
        params: paramsOf(attribute),
      }),
    staleTime: 0,
  })

export const orderAttributes = (org: string, object: string, ids: readonly string[]) =>
  request('PUT /objects/:objectId/attribute-order', { org, params: { objectId: object }, body: { ids } })
