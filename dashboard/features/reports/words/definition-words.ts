// Describes the definition of a report in plain sentences.

import { counted } from '../../../../contract/counted.ts'
import { listFormat } from '../../../../contract/language.ts'
import type { DateBucket } from '../../../../contract/report-states.ts'
import type { ReportDefinition, ReportGroupBy, ReportMeasure } from '../../../../contract/reports.ts'
import { type RecordNames, treeWords } from './filter-words.ts'
import { isBackward, viaOf } from './joins.ts'
import {
  type FieldWords,
  fieldWords,
  joinedTo,
  type NamedObject,
  namedObjectsOf,
  type ReportModel,
  referenceWords,
} from './named-objects.ts'

/** `Show` and `the sum of amount of deals`: the label begins the sentence. */
export interface Sentence {
  label: 'Show' | 'Joined with' | 'Where' | 'By' | 'Only groups where' | 'Sorted by'
  words: string
}

type NamedObjects = ReturnType<typeof namedObjectsOf>

const list = listFormat({ type: 'conjunction' })

const quoted = (label: string | undefined, words: string) =>
  label === undefined || label.toLowerCase() === words ? words : `${words} (“${label}”)`

interface Measured {
  field: FieldWords | undefined
  /** The field without its owner, for texts that name the counted records. */
  own: string
  /** Plural name of the counted records. */
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

function measureWords({ op, field }: ReportMeasure, source: NamedObject, namedObjects: NamedObjects): string {
  const read = field === undefined ? undefined : fieldWords(field, namedObjects)
  const { words = '', namedObject } = read ?? {}
  const own = namedObject?.owner ? words.replace(`${namedObject.owner}’s `, '') : words
  return MEASURE_WORDS[op]({ field: read, own, plural: namedObject?.plural ?? source.plural })
}

function showWords(definition: ReportDefinition, source: NamedObject, namedObjects: NamedObjects): string {
  const { columns, measures = [] } = definition
  const isOfSource = ({ field }: { field?: string | undefined }) =>
    field === undefined || field.split('.')[0] === definition.source.alias
  const shown = columns
    ? columns.map(({ field, label }) => quoted(label, fieldWords(field, namedObjects).words))
    : measures.map((one) => quoted(one.label, measureWords(one, source, namedObjects)))
  if (shown.length === 0) return source.plural
  const words = list.format(shown)
  // The source is omitted if a count names it already, or if all measures are of joined records.
  const isSaid = words.includes(` of ${source.plural}`) || !(columns ?? measures).some(isOfSource)
  return isSaid ? words : `${words} of ${source.plural}`
}

function joinWords(definition: ReportDefinition, namedObjects: NamedObjects): string {
  const sentences = (definition.joins ?? []).map((join) => {
    const reference = referenceWords(join, namedObjects)
    const isInner = join.type === 'inner'
    if (isBackward(join)) {
      const [joined, to] = [namedObjects.get(join.alias), joinedTo(definition, join, namedObjects)]
      const only = isInner ? `, leaving out ${to?.plural} without any` : ''
      return `the ${joined?.plural} whose ${reference} is the ${to?.singular}${only}`
    }
    const from = namedObjects.get(viaOf(join).alias)
    const only = isInner ? `, leaving out ${from?.plural ?? 'records'} without one` : ''
    return `the ${reference} of each ${from?.singular ?? 'record'}${only}`
  })
  return sentences.join('; ')
}

/** `close date` → `closing month`, `birthday` → `month of birthday`; for days the date itself */
function bucketWords(date: string, bucket: DateBucket): string {
  if (bucket === 'day') return date
  const [, before] = /^(.+) date$/.exec(date) ?? []
  return before === undefined ? `${bucket} of ${date}` : `${before.replace(/\bclose$/, 'closing')} ${bucket}`
}

function groupWords(
  { field, bucket, fill, timezone, label }: ReportGroupBy,
  namedObjects: NamedObjects,
): string {
  const { words } = fieldWords(field, namedObjects)
  const base = bucket === undefined ? words : bucketWords(words, bucket)
  const zone = timezone === undefined ? '' : ` in ${timezone.replaceAll('_', ' ')}`
  const filled = fill ? `, including empty ${bucket ?? 'day'}s` : ''
  return `${quoted(label, base)}${zone}${filled}`
}

/** The name of a column within a sentence. */
function keyWords(
  key: string,
  definition: ReportDefinition,
  source: NamedObject,
  namedObjects: NamedObjects,
): FieldWords {
  const { measures = [], groupBy = [], columns = [] } = definition
  const nothing = { attribute: undefined, namedObject: undefined }
  const measure = measures.find((one) => one.key === key)
  const group = groupBy.find((one) => one.key === key)
  const column = columns.find((one) => one.key === key)
  if (measure)
    return { words: measure.label ?? measureWords(measure, source, namedObjects), type: 'number', ...nothing }
  const words =
    (group && (group.label ?? fieldWords(group.field, namedObjects).words)) ??
    (column && (column.label ?? fieldWords(column.field, namedObjects).words)) ??
    key
  return { words, type: 'text', ...nothing }
}

const sortWords = (definition: ReportDefinition, wordsOf: (key: string) => FieldWords): string =>
  (definition.sort ?? [])
    .map(({ key, order }) => `${wordsOf(key).words}${order === 'desc' ? ', descending' : ''}`)
    .join(', then ')

/**
 * Omits empty sentences.
 * @param model the objects of the definition with their attributes; missing ones are deleted
 * @param names of the records that filters compare with
 */
export function definitionWords(
  definition: ReportDefinition,
  model: ReportModel,
  names: RecordNames = new Map(),
): Sentence[] {
  const namedObjects = namedObjectsOf(definition, model)
  const source = namedObjects.get(definition.source.alias) as NamedObject
  const wordsOf = (key: string) => keyWords(key, definition, source, namedObjects)
  const filters = treeWords(definition.filters, (field) => fieldWords(field, namedObjects), names)
  const having = treeWords(definition.having, wordsOf, names)
  const groups = (definition.groupBy ?? []).map((group) => groupWords(group, namedObjects))
  const sorted = sortWords(definition, wordsOf)
  const limit = definition.limit === undefined ? '' : `at most ${counted(definition.limit, 'row')}`
  const order = [groups.length > 0 && sorted ? `sorted by ${sorted}` : sorted, limit]
  const by = [groups.join(', then '), ...(groups.length > 0 ? order : [])].filter(Boolean)
  const sentences: Sentence[] = [
    { label: 'Show', words: showWords(definition, source, namedObjects) },
    { label: 'Joined with', words: joinWords(definition, namedObjects) },
    { label: 'Where', words: filters },
    { label: 'By', words: by.join('; ') },
    { label: 'Only groups where', words: having },
    { label: 'Sorted by', words: groups.length > 0 || !sorted ? '' : order.filter(Boolean).join('; ') },
  ]
  return sentences.filter(({ words }) => words !== '')
}
