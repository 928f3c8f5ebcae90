import { defineConfig } from 'vitest/config'

/** Changes its whole process: which certificates Node trusts is read once. */
const ALONE = ['server/http/egress/tls.test.ts']

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['server/test/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['{contract,server,cli,bench,dashboard}/**/*.test.ts'],
          exclude: ALONE,
          // Files of one worker share modules: loading the service once for each took half of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
})
