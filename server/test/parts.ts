// The two test commands and their parts. A file `name.test.ts` belongs to `npm test`, and a file
// `name.<part>.verify.ts` to that part of `npm run verify`.
import { fileURLToPath } from 'node:url'
import { datedFiles, randomFiles, zonedFiles } from './chosen-files.ts'
import { PROPERTY_PERCENT } from './dose.ts'
import { CROWDED, EXHAUSTIVE, QUIET, VERIFY_PROJECTS } from './projects.ts'
import { RANDOM, TEST_SEED } from './seed.ts'
import { START_TIME } from './start-time.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface VitestRun {
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** A part: optionally the static checks, then runs of Vitest in order. */
export interface Part {
  about: string
  isStatic?: boolean
  runs: readonly VitestRun[]
}

export interface TestCommand {
  /** The command as a user types it. */
  name: string
  parts: Readonly<Record<string, Part>>
  /** The runs if no part is named. */
  everything: Pick<Part, 'isStatic' | 'runs'>
  /** Arguments and environment for files named by path. */
  projects: readonly string[]
  env?: Readonly<Record<string, string>>
  /** The most bytes that its temporary files take. */
  space: number
  /** Each failed file runs a second time at the end, without others, and the second result counts. */
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

/** Processes of these tests use the clock of the machine. */
const env = { [START_TIME]: 'now' }
const crowdedRun = (names: readonly string[]): VitestRun => ({ args: names.map(project), env })
const quietRun: VitestRun = { args: [project('thresholds'), '--no-file-parallelism'], env }

const randomly = { [TEST_SEED]: RANDOM, [PROPERTY_PERCENT]: '30', FUZZ_REQUESTS: '6000' }
const exhaustiveRun: VitestRun = { args: [project('exhaustive')], env: randomly }

/** Files of `npm test` with random values, here from another seed. */
const seedsRun = (): VitestRun => ({ args: [project('server'), ...randomFiles()], env: randomly })

/** The last hour of a year, a leap day, and a random time. */
const DAYS = ['2027-12-31T23:10:00Z', '2028-02-29T12:00:00Z', RANDOM]

/** The start and the end of summer time in Berlin and in New York. */
const CHANGES = [
  ...['2027-03-28T00:58:00Z', '2027-10-31T00:58:00Z'],
  ...['2027-03-14T06:58:00Z', '2027-11-07T05:58:00Z'],
]

/** For each start time, the files of `npm test` that it can affect. */
function datesRuns(): VitestRun[] {
  const runsAt = (times: readonly string[], files: readonly string[]) =>
    times.map((time): VitestRun => ({ args: [project('server'), ...files], env: { [START_TIME]: time } }))
  return [...runsAt(DAYS, datedFiles()), ...runsAt(CHANGES, zonedFiles())]
}

export const VERIFY: TestCommand = {
  name: 'npm run verify',
  parts: {
    ...Object.fromEntries(
      Object.entries(CROWDED).map(([name, about]) => [name, { about, runs: [crowdedRun([name])] }]),
    ),
    thresholds: { about: QUIET.thresholds, runs: [quietRun] },
    exhaustive: { about: EXHAUSTIVE.exhaustive, runs: [exhaustiveRun] },
    seeds: {
      about: 'random values of npm test from a random seed',
      get runs() {
        return [seedsRun()]
      },
    },
    dates: {
      about: 'npm test at the end of a year, at changes of summer time, and at a random time',
      get runs() {
        return datesRuns()
      },
    },
  },
  everything: {
    get runs() {
      return [crowdedRun(Object.keys(CROWDED)), quietRun, exhaustiveRun, seedsRun(), ...datesRuns()]
    },
  },
  env,
  projects: VERIFY_PROJECTS.map(project),
  space: 10 * GB,
  hasSecondTry: true,
}
