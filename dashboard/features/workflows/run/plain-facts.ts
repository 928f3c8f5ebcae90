// The input or output of a step as readable names and values. Ids and other technical values are omitted: the JSON
// contains them.

import { counted } from '../../../../contract/counted.ts'
import { formatMoney, formatNumber } from '../../../../contract/number-values.ts'
import type { PersonName } from '../../../../contract/person-name.ts'
import { formatDay, formatName, isMoney } from '../../../shared/values/format.ts'
import { conditionWords, isId, plainTemplates } from '../canvas/value-words.ts'
import { labelOf } from '../forms/form-fields.ts'

interface PlainFact {
  name: string
  value: string
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d.*)?$/

function textOf(text: string): string {
  if (isId(text)) return ''
  return TIME.test(text) ? formatDay(text) : plainTemplates(text)
}

const isCondition = (value: Fields) => ['and', 'or', 'left', 'attributeSlug'].some((key) => key in value)

/** The text of a composite value, such as an amount; undefined: fields are listed separately. */
function wholeText(value: Fields): string | undefined {
  if (isMoney(value) && typeof value.currency === 'string') return formatMoney(value)
  if ('firstName' in value || 'lastName' in value) return formatName(value as PersonName)
  if ('from' in value && 'to' in value && Object.keys(value).length === 2)
    return `${plainText(value['from']) || 'empty'} → ${plainText(value['to']) || 'empty'}`
  return isCondition(value) ? conditionWords(value) : undefined
}

const listText = (list: readonly unknown[]): string =>
  list.some((item) => isFields(item) && wholeText(item) === undefined)
    ? counted(list.length, 'item')
    : list.map(plainText).filter(Boolean).join(', ')

/** A value on a single line; '' for missing and technical values. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return listText(value)
  return isFields(value) ? (wholeText(value) ?? '') : String(value)
}

/** Keys whose fields are listed without the key. */
const FLAT = new Set(['data', 'activity', 'parameters', 'variables', 'record'])
/** Keys that are shown elsewhere. */
const HIDDEN = new Set(['event', 'version'])
const DEPTH_MAX = 3

function factsIn(fields: Fields, way: readonly string[]): PlainFact[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (HIDDEN.has(key)) return []
    const isInside = isFields(value) && wholeText(value) === undefined && way.length < DEPTH_MAX
    if (isInside) return factsIn(value, FLAT.has(key) ? way : [...way, labelOf(key)])
    const text = plainText(value)
    return text === '' ? [] : [{ name: [...way, labelOf(key)].join(' › '), value: text }]
  })
}

/** Removes duplicates: the data of an event contains an activity twice. */
function withoutTwins(facts: readonly PlainFact[]): PlainFact[] {
  const seen = new Set<string>()
  return facts.filter(({ name, value }) => {
    const key = `${name} ${value}`
    return !seen.has(key) && seen.add(key)
  })
}

/** Facts in the order of the value's keys. */
export function plainFacts(value: unknown): PlainFact[] {
  if (isFields(value)) return withoutTwins(factsIn(value, []))
  const text = plainText(value)
  return text === '' ? [] : [{ name: 'Value', value: text }]
}
