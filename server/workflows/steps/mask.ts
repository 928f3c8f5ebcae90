// Values of secrets must not be read anywhere: what comes back from outside may hold them.
import { isRawNumber } from '../../base/json.ts'
import { textOf } from '../interpreter/values.ts'

const MASK = '••••'

const UNICODE = 0x10000
const HEX_DIGITS = 4
/** Any JSON may be written with these; some languages always do. */
const inAscii = (text: string) =>
  text.replace(/[^ -~]/g, (unit) => `\\u${(UNICODE + unit.charCodeAt(0)).toString(16).slice(-HEX_DIGITS)}`)
const withSlashes = (text: string) => text.replaceAll('/', '\\/')

/** As they may be written in an answer: plain, inside JSON text, inside an address, as credentials are. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const inAddress = encodeURIComponent(secret.toWellFormed())
  const lowerInAddress = inAddress.replace(/%../g, (byte) => byte.toLowerCase())
  const bytes = Buffer.from(secret)
  return [
    // Names of hosts are written small.
    ...[secret, secret.toLowerCase(), json, inAscii(json), withSlashes(json), withSlashes(inAscii(json))],
    ...[inAddress, lowerInAddress].flatMap((text) => [text, text.replaceAll('%20', '+')]),
    ...[bytes.toString('base64'), bytes.toString('base64url')],
  ]
}

/** @param secrets the values @returns what puts a mask in the place of each, in every spelling */
export function maskerOf(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter((form) => form !== '')
  // The longest first: one secret may be the beginning of another.
  const sorted = forms.toSorted((a, b) => b.length - a.length)
  return (text) => sorted.reduce((masked, form) => masked.replaceAll(form, MASK), text)
}

/** Every text in a parsed answer: JSON has more ways to write one than can be looked for. */
export function maskTexts(value: unknown, masked: (text: string) => string): unknown {
  if (typeof value === 'string') return masked(value)
  if (Array.isArray(value)) return value.map((one) => maskTexts(one, masked))
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [masked(key), maskTexts(one, masked)]))
}

/** A value and its parts as texts: functions may have changed a secret, or divided it. */
export function* textsIn(value: unknown): Generator<string> {
  yield textOf(value)
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
