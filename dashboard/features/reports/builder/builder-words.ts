// The texts for parts of a report, which the sentences of the builder consist of.
import type { AttributeType } from '../../../../contract/attribute-types.ts'
import type { DateBucket, MeasureOp } from '../../../../contract/report-states.ts'
import type { ReportGroupBy, ReportMeasure } from '../../../../contract/reports.ts'
import { conditionWords } from '../../../shared/filters/operator-words.ts'
import { OPERATOR_WORDS } from '../../../shared/filters/plain-words.ts'
import { fieldOf } from '../../../shared/filters/record-fields.ts'
import { isSpan, spanVerb, spanWords } from '../../../shared/filters/spans.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import type { FieldCondition, MeasureCondition } from './conditions.ts'
import { isRecord, type ReportField } from './report-fields.ts'
import type { ReportObject } from './report-objects.ts'

const OP_WORDS: Readonly<Record<MeasureOp, string>> = {
  count: 'Number of',
  countDistinct: 'Unique values of',
  countEmpty: 'Number without',
  countNotEmpty: 'Number with',
  sum: 'Sum of',
  avg: 'Average of',
  min: 'Minimum',
  max: 'Maximum',
  median: 'Median of',
  percentage: 'Share of',
}

/** `Sum of`: the text before the measured field. */
export function opWords(op: MeasureOp, type: AttributeType | undefined): string {
  if (type === 'date' && op === 'min') return 'Earliest'
  if (type === 'date' && op === 'max') return 'Latest'
  return OP_WORDS[op]
}

export const BUCKET_WORDS: Readonly<Record<DateBucket, string>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
}

/** The plural name of records, if known. */
const pluralOf = (object: ReportObject | undefined): string =>
  object?.join === undefined ? (object?.model?.pluralName ?? 'records') : `${object.name} records`

interface Known {
  objects: readonly ReportObject[]
  fields: readonly ReportField[]
}

const fieldIn = ({ fields }: Known, slug: string | undefined) => fields.find((one) => one.slug === slug)

/** A deleted field is shown with its slug. */
export const fieldWords = (known: Known, slug: string | undefined): string =>
  fieldIn(known, slug)?.fullName ?? slug ?? ''

/** `Sum of amount`, `Number of deals` */
export function measureWords(known: Known, { op, field, label }: Omit<ReportMeasure, 'key'>): string {
  if (label !== undefined) return label
  const found = fieldIn(known, field)
  const isOfRecords = field === undefined || (op === 'count' && found !== undefined && isRecord(found))
  const object = known.objects.find(({ alias, join }) =>
    field === undefined ? join === undefined : alias === found?.alias,
  )
  return `${opWords(op, found?.type)} ${inSentence(isOfRecords ? pluralOf(object) : fieldWords(known, field))}`
}

/** `Close date (quarter)`: the name of the column in the result */
export function groupWords(known: Known, { field, bucket, label }: Omit<ReportGroupBy, 'key'>): string {
  if (label !== undefined) return label
  const found = fieldIn(known, field)
  const words = found?.fullName ?? field
  return found?.type === 'date' ? `${words} (${BUCKET_WORDS[bucket ?? 'day']})` : words
}

export interface Words {
  name: string
  verb: string
  operand: string
}

type NameOf = Parameters<typeof conditionWords>[2]

/** `Stage is Won`, as separate parts. */
export function filterWords(known: Known, condition: FieldCondition, nameOf: NameOf): Words {
  const { field, operator, value } = condition
  const found = fieldIn(known, field)
  if (!found) return { name: field, verb: OPERATOR_WORDS[operator] ?? '', operand: '' }
  const name = found.fullName
  if (isSpan(value))
    return { name, verb: spanVerb(operator, value.relative), operand: spanWords(value.relative) }
  return { ...conditionWords(found, { operator, value: value as string }, nameOf), name }
}

/** A field for the editor of conditions on a measure. */
export const measuredField = ({ name, isDate }: { name: string; isDate: boolean }) =>
  fieldOf({ slug: name, name, type: isDate ? 'date' : 'number', objectId: '' })

/** `Sum of amount is more than 1,000`, as separate parts. */
export const havingWords = (
  { operator, value }: MeasureCondition,
  measure: { name: string; isDate: boolean },
): Words => conditionWords(measuredField(measure), { operator, value: value as string }, String)
