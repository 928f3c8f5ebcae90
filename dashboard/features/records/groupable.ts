// Which attributes a board can have columns of. Apart from the rest of the board, which is loaded when it is opened.
import type { Attribute } from '../../shared/api/objects.ts'
import type { Board } from '../../shared/filters/view-state.ts'

/** In this order. */
const COLUMN_TYPES: readonly Attribute['type'][] = ['select', 'member']

/** Attributes that a board can have columns of. */
export function groupable(attributes: readonly Attribute[]): Attribute[] {
  const single = attributes.filter(({ isList }) => !isList)
  return COLUMN_TYPES.flatMap((type) => single.filter((attribute) => attribute.type === type))
}

/** The board of a view that does not say what its columns are. */
export function defaultBoard(attributes: readonly Attribute[]): Board | null {
  const [groupBy] = groupable(attributes)
  const sumOf = attributes.find(({ type, isList }) => type === 'currency' && !isList)
  return groupBy ? { groupBy: groupBy.slug, ...(sumOf && { sumOf: sumOf.slug }) } : null
}
