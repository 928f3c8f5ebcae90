// The seed of random values: fixed in `npm test`, random in `npm run verify -- seeds`.
import { randomInt } from 'node:crypto'
import { wholeNumber } from './dose.ts'

const FIXED = 20_260_610

/** In place of a number or a time: another one in each run. */
export const RANDOM = 'random'

/** The environment variable: a whole number. */
export const TEST_SEED = 'TEST_SEED'

/** Of suites of `npm run verify` that draw another seed each time unless they are given one. */
const SUITE_SEEDS = ['FAULTS_SEED', 'CLUSTER_SEED', 'LEDGER_SEED', 'MIRROR_SEED']

/** Those seeds for one run and its second try: a failure of one seed must not pass by another. */
export const suiteSeeds = (given: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(SUITE_SEEDS.map((name) => [name, given[name] ?? String(randomInt(1_000_000))]))

export const seedOfRun = (): number => wholeNumber(TEST_SEED, FIXED)
