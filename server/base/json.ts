// JSON without loss: a number that a double cannot represent keeps its digits (decisions, section 2).

/** A number literal kept as text (`JSON.rawJSON`); JSON.stringify writes it back digit for digit. */
export type RawNumber = { readonly rawJSON: string }

/** Any JSON value. A number is a RawNumber if a double would change it. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | RawNumber
  | JsonValue[]
  | { [key: string]: JsonValue }

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown

declare global {
  // TypeScript's library does not describe these yet.
  interface JSON {
    rawJSON(text: string): RawNumber
    isRawJSON(value: unknown): boolean
    parse(text: string, reviver: Reviver): unknown
  }
}

/** The text is not JSON, or is nested too deeply. The message names the location, and never repeats the text. */
export class MalformedJson extends SyntaxError {
  override name = 'MalformedJson'
}

/** Far more than in any documented body, and far less than the depth at which recursion over a value overflows. */
export const JSON_DEPTH_MAX = 200

/** A double represents every decimal of up to this many digits without an exponent unchanged. */
const DOUBLE_DIGITS = 15
/** In longer texts errors are not located, because this needs about 20 parses of the text. */
const LOCATE_CHARS_MAX = 64 * 1024

/**
 * Reads `text` as JSON.parse does, but a number that a double cannot represent becomes a RawNumber.
 * @throws MalformedJson
 */
export const parseJson = (text: string): unknown => parseKnown(text, survey(text))

/**
 * Parses a text whose nesting has been checked. `hasLongNumber`: whether a number might not fit a double.
 * @throws MalformedJson
 */
export function parseKnown(text: string, hasLongNumber: boolean): unknown {
  try {
    return hasLongNumber ? JSON.parse(text, keepExact) : JSON.parse(text)
  } catch (error) {
    throw new MalformedJson(`The body is not valid JSON: ${complaint(text, error)}. Correct it there`)
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isRawNumber = (value: unknown): value is RawNumber =>
  JSON.isRawJSON(value) && /^[-\d]/.test((value as RawNumber).rawJSON)

/** A decimal number: `digits` (no zeros at either end, empty for 0) times ten to the power `exponent`. */
export interface DecimalParts {
  negative: boolean
  digits: string
  exponent: number
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const ZERO: DecimalParts = { negative: false, digits: '', exponent: 0 }

/** The decimal that a number literal represents; undefined if `literal` is not a number. */
export function decimalParts(literal: string): DecimalParts | undefined {
  const match = NUMBER.exec(literal)
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const digits = whole + fraction
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  let start = 0
  while (start < end && digits[start] === '0') start++
  if (start === end) return ZERO
  const exponent = Number(power) - fraction.length + digits.length - end
  return { negative: sign === '-', digits: digits.slice(start, end), exponent }
}

/** Whether the text of the double nearest to a number literal has the same value. */
export function fitsDouble(literal: string): boolean {
  const double = Number(literal)
  if (!Number.isFinite(double)) return false
  const sent = decimalParts(literal)
  const held = decimalParts(String(double))
  return sent?.digits === held?.digits && sent?.exponent === held?.exponent
}

const keepExact: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && !fitsDouble(source) ? JSON.rawJSON(source) : value

/**
 * Scans the text once before parsing, without the strings. It refuses deep nesting, because recursive code reads the
 * parsed value. It returns whether a number might not fit a double. (A regular expression over the whole text would
 * read the digits of ids in strings as numbers.)
 */
function survey(text: string): boolean {
  let depth = 0
  let hasLongNumber = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) at = stringEnd(text, at)
    else if (char === 0x5b || char === 0x7b) depth++
    else if (char === 0x5d || char === 0x7d) depth--
    else if (isDigit(char)) {
      const end = numberEnd(text, at)
      hasLongNumber ||= isLongNumber(text, at, end)
      at = end - 1
    }
    if (depth > JSON_DEPTH_MAX)
      throw new MalformedJson(`JSON can be nested at most ${JSON_DEPTH_MAX} levels deep: send fewer levels`)
  }
  return hasLongNumber
}

export const isDigit = (char: number) => char >= 0x30 && char <= 0x39

export function numberEnd(text: string, start: number): number {
  let end = start + 1
  while (isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === 0x2e) end++
  return end
}

/** Whether the number from `start` to `end` might not fit a double. */
export const isLongNumber = (text: string, start: number, end: number): boolean =>
  end - start > DOUBLE_DIGITS || text[end] === 'e' || text[end] === 'E'

/** The offset of the closing quote of the string that opens at `open`; the end of the text if there is none. */
export function stringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}

const LOCATED = /^(.+?)(?: in JSON)? at position \d+ \(line (\d+) column (\d+)\)$/

/** The engine's error message without the part of the text that it quotes. */
function complaint(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const located = LOCATED.exec(message)
  if (located) return `${located[1]} at line ${located[2]}, column ${located[3]}`
  if (message.startsWith('Unexpected end')) return 'it ends too early'
  if (text.length > LOCATE_CHARS_MAX || !isUnexpectedToken(text)) return 'it has an unexpected character'
  return `unexpected character at ${tokenPosition(text)}`
}

/** Locates an unexpected token, which the engine only quotes: the shortest text that it refuses ends there. */
function tokenPosition(text: string): string {
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUnexpectedToken(text.slice(0, middle))) bad = middle
    else good = middle
  }
  const lines = text.slice(0, bad).split('\n')
  return `line ${lines.length}, column ${lines.at(-1)?.length}`
}

function isUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token')
  }
}
