// JSON whose numbers keep every digit: what a number of JavaScript cannot hold stays its text.
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

/** Digits a number of JavaScript always holds. */
const SAFE_DIGITS = 15

const keepDigits: Reviver = (_key, value, context) => {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined) return value
  return source.replace(/\D/g, '').length > SAFE_DIGITS && String(value) !== source ? source : value
}

/** The service takes numbers as text too, so that what was read can be sent back. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
