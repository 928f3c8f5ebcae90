// Attributes whose values identify one record of an object.
import type { ModelAttribute, ObjectModel } from './models.ts'

/** Whether a value identifies at most one record. */
export const identifies = ({ isUnique, isList, isBecomingUnique }: Identifying): boolean =>
  isUnique && !isList && isBecomingUnique !== true

type Identifying = Pick<ModelAttribute, 'isUnique' | 'isList' | 'isBecomingUnique'>

export const uniqueAttributes = ({ attributes }: Pick<ObjectModel, 'attributes'>): ModelAttribute[] =>
  [...attributes.values()].filter(identifies)
