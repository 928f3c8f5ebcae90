import type { Attribute } from '../api/objects.ts'
import { targetOf } from '../values/attribute-config.ts'

/** The kind of an attribute's values. A value can be pasted unchanged into an attribute of the same kind. */
export const kindOf = (attribute: Attribute): string =>
  [attribute.type, attribute.isList && 'list', targetOf(attribute)].filter(Boolean).join(' ')
