// Several values in one field, with commas between them.
import { anyAsText, readAny } from './any-value.ts'
import { hasTemplate } from './template-text.ts'

/** A comma that is not inside of a template. */
const COMMA = /,(?![^{}]*\}\})/

const partsOf = (typed: string): string[] =>
  typed
    .split(COMMA)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Recipients: one text while it is one, a list once there are several. */
export function readAddresses(typed: string): string | string[] {
  const parts = partsOf(typed)
  return parts.length > 1 ? parts : (parts[0] ?? '')
}

export const addressesAsText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value ?? '')

/** What something is compared with one by one: a list, or the template that yields it. */
export function readMany(typed: string): unknown {
  const parts = partsOf(typed)
  const [first] = parts
  if (parts.length === 1 && hasTemplate(first)) return first
  return parts.map((part) => readAny(part).value ?? part)
}

export const manyAsText = (value: unknown): string =>
  Array.isArray(value) ? value.map(anyAsText).join(', ') : anyAsText(value)
