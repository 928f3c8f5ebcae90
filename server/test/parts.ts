// The two commands and their parts. A file belongs to `npm test` as `name.test.ts`, and to a part of `npm run verify` as
// `name.<part>.verify.ts`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RANDOM, TEST_SEED } from './seed.ts'
import { START_TIME } from './start-time.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** One run of Vitest. */
export interface VitestRun {
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** A part: whether it has the static checks, then runs of Vitest, one after the other. */
export interface Part {
  about: string
  isStatic?: boolean
  runs: readonly VitestRun[]
}

export interface TestCommand {
  /** As it is typed. */
  name: string
  parts: Readonly<Record<string, Part>>
  /** What runs where no part is named. */
  everything: Pick<Part, 'isStatic' | 'runs'>
  /** Arguments and environment for files named by path. */
  projects: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Bytes: its temporary files take less. */
  space: number
  /** Each file that failed runs once more by itself at the end, and its second result counts. */
  hasSecondTry?: boolean
}

const GB = 1024 ** 3

const project = (name: string) => `--project=${name}`

const TEST_PROJECTS = ['server', 'isolated', 'journeys'].map(project)

export const TEST: TestCommand = {
  name: 'npm test',
  parts: {
    static: { about: 'types, format and lint, unused code', isStatic: true, runs: [] },
    server: {
      about: "contract, server, command line and the dashboard's functions",
      runs: [{ args: [project('server'), project('isolated')] }],
    },
    journeys: {
      about: 'each page in Chromium as a person uses it (dashboard/e2e)',
      runs: [{ args: [project('journeys')] }],
    },
  },
  everything: { isStatic: true, runs: [{ args: TEST_PROJECTS }] },
  projects: TEST_PROJECTS,
  space: GB,
}

/** Parts whose files run in parallel. */
const CROWDED = {
  processes: 'the service, its command line and the embedded server as processes',
  cells: 'a directory and its cells, organizations that move',
  replicas: 'read replicas: lag, failures, reads of own writes',
  faults: 'databases that fail, stall or are cut off',
  kills: 'processes that are killed in the middle of their work',
  ledgers: 'every answer, event and step accounted for under kills and faults',
  backups: 'backup and restore',
  browser: 'all that pages do in Chromium (dashboard/e2e)',
} as const

/** Files of these run one after the other: they measure time, memory or paint. */
const QUIET = { thresholds: 'limits of time, memory and paint' } as const

export const VERIFY_PROJECTS = [...Object.keys(CROWDED), ...Object.keys(QUIET)]

/** Their processes have the clock of the machine. */
const env = { [START_TIME]: 'now' }
const crowdedRun = (names: readonly string[]): VitestRun => ({ args: names.map(project), env })
const quietRun: VitestRun = { args: [project('thresholds'), '--no-file-parallelism'], env }

/** Files of `npm test` that try random values, with others. */
const isRandom = (file: string) => readFileSync(join(ROOT, file), 'utf8').includes("from 'fast-check'")
const randomFiles = globSync('{contract,server,cli,dashboard}/**/*.test.ts', { cwd: ROOT }).filter(isRandom)
const seedsRun: VitestRun = {
  args: [project('server'), ...randomFiles],
  env: { [TEST_SEED]: RANDOM, FUZZ_REQUESTS: '6000' },
}

/** Files of `npm test` in which dates matter, at a time of each kind. */
const DATED = [
  ...['contract/', 'dashboard/', 'server/activities/', 'server/home/', 'server/imports/local-format'],
  ...['server/notifications/', 'server/records/filters/', 'server/records/validation/'],
  ...['server/records/values/', 'server/reports/', 'server/workflows/'],
]
const TIMES = [
  // The last hour of a year, a day that few years have
  ...['2027-12-31T23:10:00Z', '2028-02-29T12:00:00Z'],
  // Summer time begins and ends in Berlin and in New York
  ...['2027-03-28T00:58:00Z', '2027-10-31T00:58:00Z', '2027-03-14T06:58:00Z', '2027-11-07T05:58:00Z'],
  RANDOM,
]
const datesRuns = TIMES.map(
  (time): VitestRun => ({ args: [project('server'), ...DATED], env: { [START_TIME]: time } }),
)

export const VERIFY: TestCommand = {
  name: 'npm run verify',
  parts: {
    ...Object.fromEntries(
      Object.entries(CROWDED).map(([name, about]) => [name, { about, runs: [crowdedRun([name])] }]),
    ),
    thresholds: { about: QUIET.thresholds, runs: [quietRun] },
    seeds: { about: 'random values of npm test from a random seed', runs: [seedsRun] },
    dates: {
      about: 'npm test at the end of a year, at changes of summer time, and at a random time',
      runs: datesRuns,
    },
  },
  everything: { runs: [crowdedRun(Object.keys(CROWDED)), quietRun, seedsRun, ...datesRuns] },
  env,
  projects: VERIFY_PROJECTS.map(project),
  space: 10 * GB,
  hasSecondTry: true,
}
