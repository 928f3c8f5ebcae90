// The names of the columns that a draft results in.
import type { ReportMeasure } from '../../../../contract/reports.ts'
import { TYPES } from '../../../types/types.ts'
import type { Draft } from './builder-state.ts'
import { fieldWords, groupWords, measureWords } from './builder-words.ts'

type Known = Parameters<typeof fieldWords>[0]

export interface ColumnName {
  key: string
  name: string
  isMeasure: boolean
  /** Kind of values, for the labels of sort orders. */
  kind: 'number' | 'date' | 'select' | 'text'
}

type Values = ColumnName['kind']

function kindOf({ fields }: Known, slug: string | undefined): Values {
  const type = fields.find((one) => one.slug === slug)?.type
  if (type && TYPES[type].isNumeric) return 'number'
  return type === 'date' || type === 'select' ? type : 'text'
}

const measureKind = (known: Known, { op, field }: ReportMeasure): Values =>
  (op === 'min' || op === 'max') && kindOf(known, field) === 'date' ? 'date' : 'number'

export function columnNames(
  { groupBy = [], measures = [], columns = [] }: Draft,
  known: Known,
): ColumnName[] {
  return [
    ...groupBy.map((one) => ({
      key: one.key,
      name: groupWords(known, one),
      isMeasure: false,
      kind: kindOf(known, one.field),
    })),
    ...measures.map((one) => ({
      key: one.key,
      name: measureWords(known, one),
      isMeasure: true,
      kind: measureKind(known, one),
    })),
    ...columns.map(({ key, field, label }) => ({
      key,
      name: label ?? fieldWords(known, field),
      isMeasure: false,
      kind: kindOf(known, field),
    })),
  ]
}
