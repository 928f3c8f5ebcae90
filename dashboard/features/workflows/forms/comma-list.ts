// Several values in a single field, separated by commas.
import { anyAsText, readAny } from './any-value.ts'
import { hasTemplate } from './template-text.ts'

/** A comma outside of templates. */
const COMMA = /,(?![^{}]*\}\})/

const partsOf = (typed: string): string[] =>
  typed
    .split(COMMA)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Recipients: a text for one recipient, a list for several. */
export function readAddresses(typed: string): string | string[] {
  const parts = partsOf(typed)
  return parts.length > 1 ? parts : (parts[0] ?? '')
}

export const addressesAsText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value ?? '')

/** The values of an operator such as `in`: a list, or a template that returns one. */
export function readMany(typed: string): unknown {
  const parts = partsOf(typed)
  const [first] = parts
  if (parts.length === 1 && hasTemplate(first)) return first
  return parts.map((part) => readAny(part).value ?? part)
}

export const manyAsText = (value: unknown): string =>
  Array.isArray(value) ? value.map(anyAsText).join(', ') : anyAsText(value)
