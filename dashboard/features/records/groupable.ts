// The attributes whose values can be columns of a board. Separate from the board, whose code is loaded when opened.
import type { Attribute } from '../../shared/api/objects.ts'
import type { Board } from '../../shared/filters/view-state.ts'

/** In order of preference. */
const COLUMN_TYPES: readonly Attribute['type'][] = ['select', 'member']

/** Attributes whose values can be columns of a board. */
export function groupable(attributes: readonly Attribute[]): Attribute[] {
  const single = attributes.filter(({ isList }) => !isList)
  return COLUMN_TYPES.flatMap((type) => single.filter((attribute) => attribute.type === type))
}

/** The board of a view that names no columns. */
export function defaultBoard(attributes: readonly Attribute[]): Board | null {
  const [groupBy] = groupable(attributes)
  const sumOf = attributes.find(({ type, isList }) => type === 'currency' && !isList)
  return groupBy ? { groupBy: groupBy.slug, ...(sumOf && { sumOf: sumOf.slug }) } : null
}
