// Each part of `npm run verify` with files `name.<part>.verify.ts` is a project of Vitest.

/** Parts whose files run in parallel. */
export const CROWDED = {
  processes: 'the service, its command line and the embedded server as processes',
  cells: 'a directory and its cells, organizations that move',
  replicas: 'read replicas: lag, failures, reads of own writes',
  faults: 'databases that fail, stall or are cut off',
  kills: 'processes that are killed in the middle of their work',
  ledgers: 'every answer, event and step accounted for under kills and faults',
  backups: 'backup and restore',
  browser: 'all that pages do in Chromium (dashboard/e2e)',
} as const

/** Parts whose files run one after the other, because they measure time, memory or paint. */
export const QUIET = { thresholds: 'limits of time, memory and paint' } as const

/** Deterministic like `npm test`, but for the seed of its random values. */
export const EXHAUSTIVE = {
  exhaustive: 'routes, types and operators in every combination, random sequences, large data',
} as const

export const VERIFY_PROJECTS = [CROWDED, QUIET, EXHAUSTIVE].flatMap((parts) => Object.keys(parts))
