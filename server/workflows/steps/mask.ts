// Masks values of secrets in responses, which may repeat them.
import { isRawNumber } from '../../base/json.ts'
import { textOf } from '../interpreter/values.ts'

const MASK = '••••'

const UNICODE = 0x10000
const HEX_DIGITS = 4
/** JSON can contain these escapes; some languages always write them. */
const inAscii = (text: string) =>
  text.replace(/[^ -~]/g, (unit) => `\\u${(UNICODE + unit.charCodeAt(0)).toString(16).slice(-HEX_DIGITS)}`)
const withSlashes = (text: string) => text.replaceAll('/', '\\/')

/** The forms of a secret in a response: plain, in JSON text, in a URL, and in base64 as in credentials. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const inAddress = encodeURIComponent(secret.toWellFormed())
  const lowerInAddress = inAddress.replace(/%../g, (byte) => byte.toLowerCase())
  const bytes = Buffer.from(secret)
  return [
    // Host names are lower case.
    ...[secret, secret.toLowerCase(), json, inAscii(json), withSlashes(json), withSlashes(inAscii(json))],
    ...[inAddress, lowerInAddress].flatMap((text) => [text, text.replaceAll('%20', '+')]),
    ...[bytes.toString('base64'), bytes.toString('base64url')],
  ]
}

/** @param secrets the values @returns a function that masks all forms of all secrets */
export function maskerOf(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter((form) => form !== '')
  // The longest first, because one secret may be the start of another.
  const sorted = forms.toSorted((a, b) => b.length - a.length)
  return (text) => sorted.reduce((masked, form) => masked.replaceAll(form, MASK), text)
}

/** Masks all texts in a parsed response, because JSON has too many ways to write a text. */
export function maskTexts(value: unknown, masked: (text: string) => string): unknown {
  if (typeof value === 'string') return masked(value)
  if (Array.isArray(value)) return value.map((one) => maskTexts(one, masked))
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [masked(key), maskTexts(one, masked)]))
}

/** A value and its parts as texts, because functions may have changed or split a secret. */
export function* textsIn(value: unknown): Generator<string> {
  yield textOf(value)
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
