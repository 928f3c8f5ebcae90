// What a board of an object is grouped by at first; apart from the board, which is loaded when one is shown.
import type { Attribute } from '../../../../shared/api/objects.ts'

/** undefined: there can be no board. */
export const groupableOf = (attributes: readonly Attribute[]): Attribute | undefined =>
  attributes.find(({ type, isList }) => type === 'select' && !isList)
