// The functions of templates. They return a value for any arguments: null if there is no result.

import type { WorkflowFunction } from '../../../contract/workflow-functions.ts'
import { STEP_OUTPUT_BYTES_MAX } from '../../../contract/workflow-states.ts'
import { DATE_FUNCTIONS } from './date-functions.ts'
import type { TemplateFunction } from './function-types.ts'
import { NUMBER_FUNCTIONS, total } from './number-functions.ts'
import { lookupIn } from './scope.ts'
import { TemplateError } from './template-error.ts'
import { isEmpty, textOf } from './values.ts'

/** A number, or a text that is one, without its fraction; `otherwise` for anything else. */
const wholeOf = (value: unknown, otherwise: number): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : otherwise
}

const SURROGATE = /[\ud800-\udfff]/

/** Unicode characters: an emoji counts as one. A text without surrogates stays a text, because that is faster. */
const charactersOf = (text: string): string | string[] => (SURROGATE.test(text) ? [...text] : text)

const joined = (characters: string | readonly unknown[]) =>
  typeof characters === 'string' ? characters : characters.join('')

/** Elements of a list; characters of all other values. */
const elementsOf = (value: unknown): string | unknown[] =>
  Array.isArray(value) ? value : charactersOf(textOf(value))

const onText =
  (change: (text: string) => string): TemplateFunction =>
  (value) =>
    isEmpty(value) ? null : change(textOf(value))

/** Creates a text whose length is known before. @throws TemplateError when it is too long */
function bounded(length: number, make: () => string): string {
  if (length > STEP_OUTPUT_BYTES_MAX)
    throw new TemplateError(`A function returns a text of more than ${STEP_OUTPUT_BYTES_MAX} characters.`)
  return make()
}

const truncate: TemplateFunction = (value, [length]) => {
  if (isEmpty(value)) return null
  const characters = charactersOf(textOf(value))
  const most = Math.max(wholeOf(length, characters.length), 1)
  if (characters.length <= most) return joined(characters)
  return `${joined(characters.slice(0, most - 1)).trimEnd()}…`
}

const replace: TemplateFunction = (value, [what, by]) => {
  if (isEmpty(value)) return null
  const [text, searched, replacement] = [textOf(value), textOf(what), textOf(by)]
  if (searched === '') return text
  const parts = text.split(searched)
  return bounded(text.length + (parts.length - 1) * replacement.length, () => parts.join(replacement))
}

const join: TemplateFunction = (value, [separator]) => {
  const list = Array.isArray(value) ? value : isEmpty(value) ? [] : [value]
  const texts = list.filter((one) => !isEmpty(one)).map(textOf)
  const between = separator === undefined || separator === null ? ', ' : textOf(separator)
  const length = texts.reduce((sum, text) => sum + text.length + between.length, 0)
  return bounded(length, () => texts.join(between))
}

const segmentsOf = (path: unknown) =>
  textOf(path)
    .split('.')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))

const pluck: TemplateFunction = (value, [path]) => {
  const segments = segmentsOf(path)
  return Array.isArray(value) ? value.map((one) => lookupIn(one, segments)).filter((one) => one !== null) : []
}

const slice: TemplateFunction = (value, [from, to]) => {
  if (isEmpty(value)) return null
  const elements = elementsOf(value)
  const cut = elements.slice(wholeOf(from, 0), to === undefined ? undefined : wholeOf(to, elements.length))
  return Array.isArray(value) ? cut : joined(cut)
}

const TEXT_AND_LIST_FUNCTIONS = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  capitalize: onText((text) => {
    const [first = ''] = text
    return first.toUpperCase() + text.slice(first.length)
  }),
  trim: onText((text) => text.trim()),
  truncate,
  replace,
  split: (value, [separator]) =>
    isEmpty(value)
      ? []
      : textOf(value)
          // Splits between characters, not inside surrogate pairs.
          .split(isEmpty(separator) ? /(?:)/u : textOf(separator))
          .filter((part) => part !== ''),
  // URLs cannot contain lone surrogates.
  urlencode: onText((text) => encodeURIComponent(text.toWellFormed())),
  text: (value) => textOf(value),
  first: (value) => (Array.isArray(value) ? value[0] : value),
  last: (value) => (Array.isArray(value) ? value.at(-1) : value),
  length: (value) => (isEmpty(value) ? 0 : elementsOf(value).length),
  slice,
  join,
  pluck,
  sum: (value, [path], scope) =>
    total(
      path === undefined ? (Array.isArray(value) ? value : []) : (pluck(value, [path], scope) as unknown[]),
    ),
  default: (value, [other]) => (isEmpty(value) ? other : value),
  json: (value) => JSON.stringify(value ?? null),
} as const satisfies Record<string, TemplateFunction>

export const FUNCTIONS: Readonly<Record<WorkflowFunction, TemplateFunction>> = {
  ...TEXT_AND_LIST_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...DATE_FUNCTIONS,
}
