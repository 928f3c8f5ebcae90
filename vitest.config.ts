import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,cli,bench,dashboard}/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['server/test/global-setup.ts'],
  },
})
