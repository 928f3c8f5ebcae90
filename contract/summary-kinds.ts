// Kinds of summaries of an attribute's values. No TypeBox schemas, because the dashboard loads this at run time.

import type { AttributeType } from './attribute-types.ts'
import { TYPE_CONTRACTS } from './attribute-types.ts'

/** filled, empty: number of records with and without a value; checked: number of records with a checked box. */
export const SUMMARIES = ['filled', 'empty', 'checked', 'sum', 'average', 'min', 'max'] as const
export type SummaryKind = (typeof SUMMARIES)[number]

interface Summarized {
  type: AttributeType
  isList: boolean
}

/** The summaries of an attribute. Lists have only counts of records with and without values. */
export function summariesOf({ type, isList }: Summarized): readonly SummaryKind[] {
  const { isSummable, kind } = TYPE_CONTRACTS[type]
  if (isList || type === 'list') return ['filled', 'empty']
  if (isSummable) return ['sum', 'average', 'min', 'max', 'filled', 'empty']
  if (kind === 'date') return ['min', 'max', 'filled', 'empty']
  return kind === 'flag' ? ['checked', 'filled', 'empty'] : ['filled', 'empty']
}
