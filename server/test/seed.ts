// The seed of random values: fixed in `npm test`, random in `npm run verify -- seeds`.
import { randomInt } from 'node:crypto'
import { wholeNumber } from './dose.ts'

const FIXED = 20_260_610

/** In place of a number or a time: a new value in each run. */
export const RANDOM = 'random'

/** The environment variable: a whole number. */
export const TEST_SEED = 'TEST_SEED'

/** The seeds of suites of `npm run verify` that otherwise draw a new seed each time. */
const SUITE_SEEDS = ['FAULTS_SEED', 'CLUSTER_SEED', 'LEDGER_SEED', 'MIRROR_SEED', 'UNDO_ERASE_SEED']

/** The same seeds for a run and its second try: a failure must not pass by a different seed. */
export const suiteSeeds = (given: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(SUITE_SEEDS.map((name) => [name, given[name] ?? String(randomInt(1_000_000))]))

export const seedOfRun = (): number => wholeNumber(TEST_SEED, FIXED)
