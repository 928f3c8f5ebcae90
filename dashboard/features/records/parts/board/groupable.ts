// Which attributes a board can have columns of. Apart from the rest of the board, which is loaded when it is opened.
import { refersToMembers } from '../../../../../contract/attribute-types/reference.ts'
import type { Attribute } from '../../../../shared/api/objects.ts'

/** Attributes that a board can have columns of: selects first. */
export function groupable(attributes: readonly Attribute[]): Attribute[] {
  const single = attributes.filter(({ isList }) => !isList)
  return [...single.filter(({ type }) => type === 'select'), ...single.filter(refersToMembers)]
}
