// Parses JSON without losing digits: a number that JavaScript cannot represent exactly stays a string.
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

/** JavaScript represents every number with this many digits exactly. */
const SAFE_DIGITS = 15

const keepDigits: Reviver = (_key, value, context) => {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined) return value
  return source.replace(/\D/g, '').length > SAFE_DIGITS && String(value) !== source ? source : value
}

/** The service accepts numbers as strings, so a parsed value can be sent back. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
