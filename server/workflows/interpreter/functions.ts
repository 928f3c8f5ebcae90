// The functions of templates. Whatever value they get, they yield a value: null where there is nothing to yield.

import type { WorkflowFunction } from '../../../contract/workflow-functions.ts'
import { STEP_OUTPUT_BYTES_MAX } from '../../../contract/workflow-states.ts'
import { DATE_FUNCTIONS } from './date-functions.ts'
import type { TemplateFunction } from './function-types.ts'
import { NUMBER_FUNCTIONS, total } from './number-functions.ts'
import { lookupIn } from './scope.ts'
import { TemplateError } from './template-error.ts'
import { isEmpty, textOf } from './values.ts'

/** Of whole numbers as arguments; further out, nothing is left or nothing changes. */
const wholeOf = (value: unknown, otherwise: number): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : otherwise
}

/** Characters of Unicode: an emoji is one. Lists stay lists. */
const charactersOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [...textOf(value)])

const onText =
  (change: (text: string) => string): TemplateFunction =>
  (value) =>
    isEmpty(value) ? null : change(textOf(value))

/** A text whose length is known before it is made. */
function bounded(length: number, make: () => string): string {
  if (length > STEP_OUTPUT_BYTES_MAX)
    throw new TemplateError(`A function yields a text of more than ${STEP_OUTPUT_BYTES_MAX} characters.`)
  return make()
}

const truncate: TemplateFunction = (value, [length]) => {
  if (isEmpty(value)) return null
  const characters = [...textOf(value)]
  const most = Math.max(wholeOf(length, characters.length), 1)
  if (characters.length <= most) return characters.join('')
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
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
  const characters = charactersOf(value)
  const cut = characters.slice(
    wholeOf(from, 0),
    to === undefined ? undefined : wholeOf(to, characters.length),
  )
  return Array.isArray(value) ? cut : cut.join('')
}

const TEXT_AND_LIST_FUNCTIONS = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  capitalize: onText((text) => {
    const [first = '', ...rest] = text
    return first.toUpperCase() + rest.join('')
  }),
  trim: onText((text) => text.trim()),
  truncate,
  replace,
  split: (value, [separator]) =>
    isEmpty(value)
      ? []
      : textOf(value)
          // Between characters, not between the halves of one.
          .split(isEmpty(separator) ? /(?:)/u : textOf(separator))
          .filter((part) => part !== ''),
  // Halves of surrogate pairs have no form in an address.
  urlencode: onText((text) => encodeURIComponent(text.toWellFormed())),
  text: (value) => textOf(value),
  first: (value) => (Array.isArray(value) ? value[0] : value),
  last: (value) => (Array.isArray(value) ? value.at(-1) : value),
  length: (value) => (isEmpty(value) ? 0 : charactersOf(value).length),
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
