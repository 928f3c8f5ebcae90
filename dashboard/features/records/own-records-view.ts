// The built-in view of the records that the signed-in user owns, such as My deals.
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { ownerAttribute } from '../../../contract/standard-objects.ts'
import { ME } from '../../shared/api/record-names.ts'
import type { View } from './api/views.ts'
import { OWN_RECORDS } from './page-search.ts'

export const isDelivered = ({ id }: Pick<View, 'id'>): boolean => id === OWN_RECORDS

/** @returns undefined if the object has no owner attribute */
export function ownRecordsView({
  id,
  pluralName,
  attributes,
  createdAt,
  updatedAt,
}: ObjectWithAttributes): View | undefined {
  const owner = ownerAttribute(attributes)
  if (!owner) return undefined
  return {
    id: OWN_RECORDS,
    objectId: id,
    name: `My ${pluralName.toLowerCase()}`,
    kind: 'table',
    isShared: true,
    state: {
      version: 1,
      columns: [],
      filter: { attributeSlug: owner.slug, operator: 'equals', value: ME },
    },
    createdBy: { id: '', name: '', email: '' },
    createdAt,
    updatedAt,
  }
}
