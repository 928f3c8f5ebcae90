// The two commands and their parts. A file belongs to `npm test` as `name.test.ts`, and to a part of `npm run verify` as
// `name.<part>.verify.ts`.

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
  /** Arguments for files named by path. */
  projects: readonly string[]
}

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

const quietRun = { args: [project('thresholds'), '--no-file-parallelism'] }

export const VERIFY: TestCommand = {
  name: 'npm run verify',
  parts: {
    ...Object.fromEntries(
      Object.entries(CROWDED).map(([name, about]) => [name, { about, runs: [{ args: [project(name)] }] }]),
    ),
    thresholds: { about: QUIET.thresholds, runs: [quietRun] },
  },
  everything: { runs: [{ args: Object.keys(CROWDED).map(project) }, quietRun] },
  projects: VERIFY_PROJECTS.map(project),
}
