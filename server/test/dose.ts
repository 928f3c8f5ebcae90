// How much of something a test does: little on each change, more by `npm run verify`, the full dose by `npm run soak`.

/** A whole number from the environment. */
export function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, not "${text}"`)
  return value
}

/** The environment variable. */
export const PROPERTY_PERCENT = 'PROPERTY_PERCENT'

const PERCENT = wholeNumber(PROPERTY_PERCENT, 15)

/** How many cases a property is tried with, of those in its full dose. */
export const cases = (full: number): number => Math.ceil((full * PERCENT) / 100)
