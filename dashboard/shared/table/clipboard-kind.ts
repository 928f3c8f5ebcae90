import type { Attribute } from '../api/objects.ts'
import { targetOf } from '../values/attribute-config.ts'

/** What the values of an attribute are: those of the same kind are pasted as they are. */
export const kindOf = (attribute: Attribute): string =>
  [attribute.type, attribute.isList && 'list', targetOf(attribute)].filter(Boolean).join(' ')
