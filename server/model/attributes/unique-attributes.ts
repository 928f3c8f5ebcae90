// Attributes by whose values one record of an object is found.
import type { ModelAttribute, ObjectModel } from './models.ts'

export const uniqueAttributes = ({ attributes }: Pick<ObjectModel, 'attributes'>): ModelAttribute[] =>
  [...attributes.values()].filter(({ isUnique, isList }) => isUnique && !isList)
