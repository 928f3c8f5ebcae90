// What a report asks, in plain sentences.

import { counted } from '../../../../contract/counted.ts'
import { listFormat } from '../../../../contract/language.ts'
import type { DateBucket } from '../../../../contract/report-states.ts'
import type { ReportDefinition, ReportGroupBy, ReportMeasure } from '../../../../contract/reports.ts'
import {
  type FieldWords,
  fieldWords,
  isBackward,
  joinedTo,
  type Place,
  partsOf,
  placesOf,
  type ReportModel,
  referenceWords,
} from './definition-places.ts'
import { type RecordNames, treeWords } from './filter-words.ts'

/** `Show` and `the sum of amount of deals`: the label is the beginning of the sentence. */
export interface Sentence {
  label: 'Show' | 'Joined with' | 'Where' | 'By' | 'Only groups where' | 'Sorted by'
  words: string
}

type Places = ReturnType<typeof placesOf>

const list = listFormat({ type: 'conjunction' })

const quoted = (label: string | undefined, words: string) =>
  label === undefined || label.toLowerCase() === words ? words : `${words} (“${label}”)`

interface Measured {
  field: FieldWords | undefined
  /** The field without what it is of: the records that count say it. */
  own: string
  /** Of the object whose records count. */
  plural: string
}

const isDate = (field: FieldWords | undefined) => field?.type === 'date'

const MEASURE_WORDS: Readonly<Record<ReportMeasure['op'], (measured: Measured) => string>> = {
  count: ({ plural }) => `the number of ${plural}`,
  countDistinct: ({ field }) => `the number of unique values of ${field?.words}`,
  countEmpty: ({ own, plural }) => `the number of ${plural} without ${own}`,
  countNotEmpty: ({ own, plural }) => `the number of ${plural} with ${own}`,
  sum: ({ field }) => `the sum of ${field?.words}`,
  avg: ({ field }) => `the average of ${field?.words}`,
  min: ({ field }) => `the ${isDate(field) ? 'earliest' : 'smallest'} ${field?.words}`,
  max: ({ field }) => `the ${isDate(field) ? 'latest' : 'largest'} ${field?.words}`,
  median: ({ field }) => `the median of ${field?.words}`,
  percentage: ({ field, plural }) => `the share of ${field && !isRecord(field) ? field.words : plural}`,
}

const isRecord = ({ attribute, type }: FieldWords) => attribute === undefined && type === 'text'

function measureWords({ op, field }: ReportMeasure, source: Place, places: Places): string {
  const read = field === undefined ? undefined : fieldWords(field, places)
  const { words = '', place } = read ?? {}
  const own = place?.owner ? words.replace(`${place.owner}’s `, '') : words
  return MEASURE_WORDS[op]({ field: read, own, plural: place?.plural ?? source.plural })
}

function showWords(definition: ReportDefinition, source: Place, places: Places): string {
  const { columns, measures = [] } = definition
  const isOfSource = ({ field }: { field?: string | undefined }) =>
    field === undefined || partsOf(field)[0] === definition.source.alias
  const shown = columns
    ? columns.map(({ field, label }) => quoted(label, fieldWords(field, places).words))
    : measures.map((one) => quoted(one.label, measureWords(one, source, places)))
  if (shown.length === 0) return source.plural
  const words = list.format(shown)
  // Who counts deals has said already what it is of; measures of joined records say theirs.
  const isSaid = words.includes(` of ${source.plural}`) || !(columns ?? measures).some(isOfSource)
  return isSaid ? words : `${words} of ${source.plural}`
}

function joinWords(definition: ReportDefinition, places: Places): string {
  const joined = (definition.joins ?? []).map((join) => {
    const reference = referenceWords(join, places)
    const isInner = join.type === 'inner'
    if (isBackward(join)) {
      const [joinedPlace, to] = [places.get(join.alias), joinedTo(definition, join, places)]
      const only = isInner ? `, leaving out ${to?.plural} without any` : ''
      return `the ${joinedPlace?.plural} whose ${reference} is the ${to?.singular}${only}`
    }
    const from = places.get(partsOf(join.via)[0])
    const only = isInner ? `, leaving out ${from?.plural ?? 'records'} without one` : ''
    return `the ${reference} of each ${from?.singular ?? 'record'}${only}`
  })
  return joined.join('; ')
}

/** `close date` → `closing month`, `birthday` → `month of birthday`; of days the date itself */
function bucketWords(date: string, bucket: DateBucket): string {
  if (bucket === 'day') return date
  const [, before] = /^(.+) date$/.exec(date) ?? []
  return before === undefined ? `${bucket} of ${date}` : `${before.replace(/\bclose$/, 'closing')} ${bucket}`
}

function groupWords({ field, bucket, fill, timezone, label }: ReportGroupBy, places: Places): string {
  const { words } = fieldWords(field, places)
  const base = bucket === undefined ? words : bucketWords(words, bucket)
  const zone = timezone === undefined ? '' : ` in ${timezone.replaceAll('_', ' ')}`
  const filled = fill ? `, including empty ${bucket ?? 'day'}s` : ''
  return `${quoted(label, base)}${zone}${filled}`
}

/** What a column is called inside a sentence. */
function keyWords(key: string, definition: ReportDefinition, source: Place, places: Places): FieldWords {
  const { measures = [], groupBy = [], columns = [] } = definition
  const nothing = { attribute: undefined, place: undefined }
  const measure = measures.find((one) => one.key === key)
  const group = groupBy.find((one) => one.key === key)
  const column = columns.find((one) => one.key === key)
  if (measure)
    return { words: measure.label ?? measureWords(measure, source, places), type: 'number', ...nothing }
  const words =
    (group && (group.label ?? fieldWords(group.field, places).words)) ??
    (column && (column.label ?? fieldWords(column.field, places).words)) ??
    key
  return { words, type: 'text', ...nothing }
}

const sortWords = (definition: ReportDefinition, wordsOf: (key: string) => FieldWords): string =>
  (definition.sort ?? [])
    .map(({ key, order }) => `${wordsOf(key).words}${order === 'desc' ? ', descending' : ''}`)
    .join(', then ')

/**
 * Sentences that say nothing are left out.
 * @param model the objects of the definition with their attributes; what is not in it is deleted
 * @param names of records that filters compare with
 */
export function definitionWords(
  definition: ReportDefinition,
  model: ReportModel,
  names: RecordNames = new Map(),
): Sentence[] {
  const places = placesOf(definition, model)
  const source = places.get(definition.source.alias) as Place
  const wordsOf = (key: string) => keyWords(key, definition, source, places)
  const filters = treeWords(definition.filters, (field) => fieldWords(field, places), names)
  const having = treeWords(definition.having, wordsOf, names)
  const groups = (definition.groupBy ?? []).map((group) => groupWords(group, places))
  const sorted = sortWords(definition, wordsOf)
  const limit = definition.limit === undefined ? '' : `at most ${counted(definition.limit, 'row')}`
  const order = [groups.length > 0 && sorted ? `sorted by ${sorted}` : sorted, limit]
  const by = [groups.join(', then '), ...(groups.length > 0 ? order : [])].filter(Boolean)
  const sentences: Sentence[] = [
    { label: 'Show', words: showWords(definition, source, places) },
    { label: 'Joined with', words: joinWords(definition, places) },
    { label: 'Where', words: filters },
    { label: 'By', words: by.join('; ') },
    { label: 'Only groups where', words: having },
    { label: 'Sorted by', words: groups.length > 0 || !sorted ? '' : order.filter(Boolean).join('; ') },
  ]
  return sentences.filter(({ words }) => words !== '')
}
