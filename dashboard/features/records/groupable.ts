// Which attributes a board can have columns of. Apart from the rest of the board, which is loaded when it is opened.
import { refersToMembers } from '../../../contract/attribute-types/reference.ts'
import type { Attribute } from '../../shared/api/objects.ts'
import type { Board } from '../../shared/filters/view-state.ts'

/** Attributes that a board can have columns of: selects first. */
export function groupable(attributes: readonly Attribute[]): Attribute[] {
  const single = attributes.filter(({ isList }) => !isList)
  return [...single.filter(({ type }) => type === 'select'), ...single.filter(refersToMembers)]
}

/** The board of a view that does not say what its columns are. */
export function defaultBoard(attributes: readonly Attribute[]): Board | null {
  const [groupBy] = groupable(attributes)
  const sumOf = attributes.find(({ type, isList }) => type === 'currency' && !isList)
  return groupBy ? { groupBy: groupBy.slug, ...(sumOf && { sumOf: sumOf.slug }) } : null
}
