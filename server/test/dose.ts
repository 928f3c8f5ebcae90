// How many cases tests run: few in `npm test`, more in `npm run verify`, all in `npm run soak`.

/** Reads a whole number from an environment variable. */
export function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, not "${text}"`)
  return value
}

/** The environment variable with the percentage of cases. */
export const PROPERTY_PERCENT = 'PROPERTY_PERCENT'

const LITTLE = 15
const PERCENT = wholeNumber(PROPERTY_PERCENT, LITTLE)

/** The number of cases of a property test. @param full the number in a full run */
export const cases = (full: number): number => Math.ceil((full * PERCENT) / 100)

/** Every other element in `npm test`, beginning with the first if `turn` is even; all elements in larger runs. */
export const everyOther = <One>(all: readonly One[], turn: number): readonly One[] =>
  PERCENT > LITTLE ? all : all.filter((_, place) => (place + turn) % 2 === 0)
