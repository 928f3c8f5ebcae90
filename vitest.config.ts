import { defineConfig } from 'vitest/config'
import { LongestFirst } from './server/test/longest-first.ts'

/** Changes its whole process: which certificates Node trusts is read once. */
const ALONE = ['server/http/egress/tls.test.ts']
const BROWSER = ['dashboard/e2e/**/*.test.ts']
const FAULTS = ['server/test/faults*.test.ts']

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    // For what hangs, not for what is slow: a shared machine may be many times slower than usual, or stand still.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['server/test/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // The parts of `npm test` (server/test/run-arguments.ts) are made of these.
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['{contract,server,cli,bench,dashboard}/**/*.test.ts'],
          exclude: [...ALONE, ...BROWSER, ...FAULTS],
          // Files of one worker share modules: loading the service once for each took half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          isolate: false,
          // A shared machine may stand still for longer than any wait of a page; what fails twice is wrong.
          retry: process.env['CI'] ? 1 : 0,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'faults', include: FAULTS, isolate: false } },
    ],
  },
})
