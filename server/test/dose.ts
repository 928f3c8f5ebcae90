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

const LITTLE = 15
const PERCENT = wholeNumber(PROPERTY_PERCENT, LITTLE)

/** How many cases a property is tried with, of those in its full dose. */
export const cases = (full: number): number => Math.ceil((full * PERCENT) / 100)

/** Every other one, the first among them where `turn` is even; all of them where more is done than on each change. */
export const everyOther = <One>(all: readonly One[], turn: number): readonly One[] =>
  PERCENT > LITTLE ? all : all.filter((_, place) => (place + turn) % 2 === 0)
