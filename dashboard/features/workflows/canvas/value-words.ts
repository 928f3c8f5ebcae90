// Describes templates and conditions in plain words.
import { numberFormat } from '../../../../contract/language.ts'
import type { FilterOperator } from '../../../../contract/operators.ts'
import { UUID_PATTERN } from '../../../../contract/uuid.ts'
import { logicWords } from '../../../shared/filters/logic-tree.ts'
import { OPERATOR_WORDS } from '../../../shared/filters/plain-words.ts'
import { slugWords } from '../node-names.ts'

const TEMPLATE = /\{\{\s*([^{}]*?)\s*\}\}/g
const ONLY_TEMPLATE = /^\{\{\s*([^{}]*?)\s*\}\}$/
/** Matches the records that a step found; captures the key of the step. */
const FOUND = /^\{\{\s*steps\.(\w+)\.records\s*\}\}$/
const UUID = new RegExp(UUID_PATTERN)

/** Ids have no meaning for users. */
export const isId = (text: string): boolean => UUID.test(text)

const TEXT_MAX = 120

/** The path without the functions after it. */
const partsOf = (expression: string): string[] => (expression.split('|')[0] ?? '').trim().split('.')

const last = (parts: readonly string[]) => slugWords(parts.at(-1) ?? '')

function triggerWords([, kind = '', ...rest]: readonly string[]): string {
  if (kind === 'recordId') return 'the record'
  if (kind === 'activityId') return 'the activity'
  if (kind === 'activity') return `the activity’s ${last(rest)}`
  if (kind === 'data' && rest.length > 0) return `the record’s ${last(rest)}`
  return last([kind, ...rest])
}

/** The words for a template that is the whole text: `the record’s company`, `records of contacts`. */
export function templateWords(expression: string): string {
  const parts = partsOf(expression)
  const [root = '', key = ''] = parts
  if (root === 'trigger') return triggerWords(parts)
  if (root === 'steps') return parts.length > 2 ? `${last(parts)} of ${slugWords(key)}` : slugWords(key)
  if (root === 'vars' || root === 'secrets') return last(parts)
  if (parts.length === 1 || last(parts) === 'id') return slugWords(root)
  return `${slugWords(root)}’s ${last(parts)}`
}

const cut = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text)

function textWords(text: string): string {
  if (isId(text)) return 'a certain record'
  const only = ONLY_TEMPLATE.exec(text)?.[1]
  if (only !== undefined) return templateWords(only)
  return cut(text.replace(TEMPLATE, (_, expression: string) => `[${last(partsOf(expression))}]`))
}

/** Replaces the templates in a text of the service, such as an error message, by words. */
export const plainTemplates = (text: string): string =>
  text.replace(TEMPLATE, (_, expression: string) => `“${templateWords(expression)}”`)

const SINGULARS: readonly [RegExp, string][] = [
  [/ies$/, 'y'],
  [/(ss|x|ch|sh)es$/, '$1'],
  [/([^s])s$/, '$1'],
]

/** `contacts` → `contact`; undefined: the word does not look like a plural. */
function singularOf(word: string): string | undefined {
  const [plural, ending] = SINGULARS.find(([pattern]) => pattern.test(word)) ?? []
  return plural && ending !== undefined ? word.replace(plural, ending) : undefined
}

/** A record that a loop iterates over: `contact found`; undefined: the loop iterates over other values. */
export function foundWords(items: unknown, item: string): string | undefined {
  const key = typeof items === 'string' ? FOUND.exec(items)?.[1] : undefined
  if (key === undefined) return undefined
  const name = item === 'item' ? 'record' : slugWords(item)
  return `${singularOf(slugWords(key)) ?? name} found`
}

const number = numberFormat()

/** A value of a config in words; `nothing` for undefined and null. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return value === '' ? 'nothing' : textWords(value)
  if (typeof value === 'number') return number.format(value)
  if (typeof value === 'boolean') return value ? 'checked' : 'not checked'
  if (Array.isArray(value)) return cut(value.map(valueWords).join(', '))
  return '…'
}

/** Operators without an operand. */
const WITHOUT_OPERAND = /^is[A-Z]/

function comparison(subject: string, operator: unknown, operand: unknown): string {
  const verb = OPERATOR_WORDS[operator as FilterOperator] ?? String(operator ?? '…')
  if (WITHOUT_OPERAND.test(String(operator))) return `${subject} ${verb}`
  const joined = operator === 'between' && Array.isArray(operand)
  return `${subject} ${verb} ${joined ? operand.map(valueWords).join(' and ') : valueWords(operand)}`
}

interface Leaf {
  left?: unknown
  right?: unknown
  attributeSlug?: unknown
  operator?: unknown
  value?: unknown
}

function leafWords(given: unknown): string {
  const leaf = (typeof given === 'object' && given !== null ? given : {}) as Leaf
  if (leaf.attributeSlug === '') return ''
  if ('attributeSlug' in leaf)
    return comparison(slugWords(String(leaf.attributeSlug)), leaf.operator, leaf.value)
  const isCompared = 'left' in leaf && leaf.left !== '' && leaf.left !== undefined
  return isCompared ? comparison(valueWords(leaf.left), leaf.operator, leaf.right) : ''
}

/** A condition or filter as a sentence that begins in lower case; '' for none. */
export const conditionWords = (tree: unknown): string => logicWords(tree, leafWords)
