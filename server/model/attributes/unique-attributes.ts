// Attributes by whose values one record of an object is found.
import type { ModelAttribute, ObjectModel } from './models.ts'

/** Whether one record at most is found by a value. */
export const identifies = ({ isUnique, isList, isBecomingUnique }: Identifying): boolean =>
  isUnique && !isList && isBecomingUnique !== true

type Identifying = Pick<ModelAttribute, 'isUnique' | 'isList' | 'isBecomingUnique'>

export const uniqueAttributes = ({ attributes }: Pick<ObjectModel, 'attributes'>): ModelAttribute[] =>
  [...attributes.values()].filter(identifies)
