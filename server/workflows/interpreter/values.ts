// Types of values in templates and conditions. They are known only by their form, because nothing declares them.
import { isRawNumber } from '../../base/json.ts'

/** An object, but not an array or a number stored as text. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** Reads only own properties: templates cannot read inherited ones. */
export function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Absent, null, the empty text, an empty list or an empty object. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isPlainObject(value) && Object.keys(value).length === 0
}

/** Record values for a step that writes them: an empty text means no value, which records store as null. */
export const emptyTextAsNull = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).map(([slug, value]) => [slug, value === '' ? null : value]))

export interface Money {
  amount: unknown
  currency: string
}

export const isMoney = (value: unknown): value is Money & Record<string, unknown> =>
  isPlainObject(value) &&
  Object.keys(value).length === 2 &&
  Object.hasOwn(value, 'amount') &&
  typeof own(value, 'currency') === 'string'

const NAME_PARTS = ['firstName', 'lastName']
const ADDRESS_PARTS = ['line1', 'line2', 'city', 'state', 'postalCode', 'country']

/** The texts of an object whose keys are all in `parts`, in the order of `parts`. */
function partsOf(value: Readonly<Record<string, unknown>>, parts: readonly string[]): string[] | undefined {
  const keys = Object.keys(value)
  if (keys.length === 0 || keys.some((key) => !parts.includes(key))) return undefined
  const texts = parts.map((part) => own(value, part)).filter((text) => text !== undefined)
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

/**
 * A value as text: empty for null, "Ada Lovelace" for a name, "1200.5 EUR" for money, lists with commas, other objects
 * as JSON.
 */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (isRawNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (!isPlainObject(value)) return String(value)
  if (isMoney(value)) return `${textOf(value.amount)} ${value.currency}`
  return (
    partsOf(value, NAME_PARTS)?.join(' ') ??
    partsOf(value, ADDRESS_PARTS)?.join(', ') ??
    JSON.stringify(value)
  )
}

/**
 * The approximate size of `value` as JSON in bytes. Counting stops at `enough`. A value that occurs several times
 * counts each time.
 */
export function sizeOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return 8
  let size = 2
  for (const [key, inner] of Object.entries(value)) {
    size += key.length + 3 + sizeOf(inner, enough - size)
    if (size > enough) break
  }
  return size
}
