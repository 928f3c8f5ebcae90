// The seed of random values: fixed in `npm test`, random in `npm run verify -- seeds`.
import { wholeNumber } from './dose.ts'

const FIXED = 20_260_610

/** In place of a number or a time: another one in each run. */
export const RANDOM = 'random'

/** The environment variable: a whole number. */
export const TEST_SEED = 'TEST_SEED'

export const seedOfRun = (): number => wholeNumber(TEST_SEED, FIXED)
