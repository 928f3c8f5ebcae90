// Attributes as the settings change them.
import { queryOptions } from '@tanstack/react-query'
import type { NewAttribute } from '../../../../contract/attributes.ts'
import type { AttributeDeletion } from '../../../../contract/deletion.ts'
import { organizationPath, request } from '../../../shared/api/client.ts'
import type { Attribute } from '../../../shared/api/objects.ts'

export type { NewAttribute }

const attributesPath = (org: string, object: string) =>
  `${organizationPath(org)}/objects/${object}/attributes`

/** By displayOrder, inactive ones too. */
export const attributesQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'objects', object, 'attributes'],
    queryFn: async () =>
      (
        await request<{ attributes: Attribute[] }>(
          'GET',
          `${attributesPath(org, object)}?includeInactive=true`,
        )
      ).attributes,
  })

export const createAttribute = (org: string, object: string, body: NewAttribute) =>
  request<Attribute>('POST', attributesPath(org, object), { body })

interface Place {
  object: string
  id: string
}
const attributePath = (org: string, { object, id }: Place) => `${attributesPath(org, object)}/${id}`

export const renameAttribute = (org: string, place: Place, name: string) =>
  request<Attribute>('PATCH', attributePath(org, place), { body: { name } })

/** Instead of any other attribute of its object. */
export const nameRecordsBy = (org: string, place: Place) =>
  request<Attribute>('PATCH', attributePath(org, place), { body: { isNaming: true } })

/** Refused while a record has an option that is missing. */
export const setAttributeOptions = (org: string, place: Place, options: readonly string[]) =>
  request<Attribute>('PUT', `${attributePath(org, place)}/options`, { body: { options } })

/** false hides its values, true shows them again. */
export const setAttributeActive = (org: string, place: Place, isActive: boolean) =>
  request<Attribute>('PATCH', `${attributePath(org, place)}/active`, { body: { isActive } })

export const deleteAttribute = (org: string, place: Place) => request('DELETE', attributePath(org, place))

export const attributeDeletionQuery = (org: string, place: Place) =>
  queryOptions({
    queryKey: [org, 'objects', place.object, 'attributes', place.id, 'deletion'],
    queryFn: () => request<AttributeDeletion>('GET', `${attributePath(org, place)}/deletion`),
    staleTime: 0,
  })

export const orderAttributes = (org: string, object: string, ids: readonly string[]) =>
  request<{ attributes: Attribute[] }>('PUT', `${organizationPath(org)}/objects/${object}/attribute-order`, {
    body: { ids },
  })
