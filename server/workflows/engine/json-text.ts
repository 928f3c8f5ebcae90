// Converts values to JSON text for PostgreSQL, truncated for the history.
import { HISTORY_BYTES_MAX } from '../../../contract/workflow-states.ts'
import { isRawNumber } from '../../base/json.ts'

/** Characters that jsonb cannot store: U+0000 and lone surrogates. */
const UNFIT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the character in question.
const fitText = (text: string) => text.replace(/\u0000/g, '\ufffd').toWellFormed()

function suited(value: unknown): unknown {
  if (typeof value === 'string') return fitText(value)
  if (Array.isArray(value)) return value.map(suited)
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [fitText(key), suited(one)]))
}

/** JSON text for a jsonb column. Characters that it cannot store are replaced. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return UNFIT.test(text) ? JSON.stringify(suited(value)) : text
}

/** Room for the JSON around the truncated text, in which each quotation mark takes two bytes. */
const CUT_CHARACTERS = HISTORY_BYTES_MAX / 4

/** JSON text of a value for the history: the whole value, or its beginning as `{"truncated": true, "text"}`. */
export function historyText(value: unknown): string {
  const text = jsonText(value)
  if (Buffer.byteLength(text) <= HISTORY_BYTES_MAX) return text
  return JSON.stringify({ truncated: true, text: text.slice(0, CUT_CHARACTERS).toWellFormed() })
}
