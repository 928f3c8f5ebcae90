// What can be said of all values of an attribute, without the schemas of typebox: the dashboard reads this at run time.

import type { AttributeType } from './attribute-types.ts'
import { TYPE_CONTRACTS } from './attribute-types.ts'

/** filled, empty: of records with and without a value; checked: of records whose box is checked. */
export const SUMMARIES = ['filled', 'empty', 'checked', 'sum', 'average', 'min', 'max'] as const
export type SummaryKind = (typeof SUMMARIES)[number]

interface Summarized {
  type: AttributeType
  isList: boolean
}

/** The summaries of an attribute; of a list only how many records have one. */
export function summariesOf({ type, isList }: Summarized): readonly SummaryKind[] {
  const { isSummable, kind } = TYPE_CONTRACTS[type]
  if (isList || type === 'list') return ['filled', 'empty']
  if (isSummable) return ['sum', 'average', 'min', 'max', 'filled', 'empty']
  if (kind === 'date') return ['min', 'max', 'filled', 'empty']
  return kind === 'flag' ? ['checked', 'filled', 'empty'] : ['filled', 'empty']
}
