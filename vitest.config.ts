import { defineConfig } from 'vitest/config'
import { LongestFirst } from './server/test/longest-first.ts'
import { EXHAUSTIVE, VERIFY_PROJECTS } from './server/test/projects.ts'

const TESTS = ['{contract,server,cli,bench,dashboard}/**/*.test.ts']
/** Changes its whole process: which certificates Node trusts is read once. */
const ISOLATED = ['server/http/egress/tls.test.ts']
const JOURNEYS = ['dashboard/e2e/**/*.test.ts']

/** A sequencer of the configuration would be used with --sequence.shuffle too. */
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))

type Settings = Partial<Record<'testTimeout' | 'hookTimeout', number>> & { execArgv?: string[] }

/** Files of one worker share modules: loading the service once for each took half of the time. */
const sharing = (name: string, include: string[], exclude: string[] = [], settings: Settings = {}) => ({
  extends: true as const,
  test: { name, include, exclude, isolate: false, ...settings },
})

/** MiB for young objects: tests make many that live as long as a request. It saves a tenth of the processor time. */
const NURSERY = { execArgv: ['--max-semi-space-size=32'] }

/** Limits are for what hangs. A test that is only slow may run: a shared machine is many times slower at times. */
const timeouts = (ms: number) => ({ testTimeout: ms, hookTimeout: ms })

/** Tests of verify start many processes. */
const VERIFY_TIMEOUTS = timeouts(600_000)

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    ...timeouts(180_000),
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['server/test/global-setup.ts'],
    setupFiles: ['server/test/setup.ts'],
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    projects: [
      // Of npm test
      sharing('server', TESTS, [...ISOLATED, ...JOURNEYS], NURSERY),
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      sharing('journeys', JOURNEYS),
      // Of npm run verify, which names them
      ...VERIFY_PROJECTS.map((part) =>
        sharing(part, [`**/*.${part}.verify.ts`], ['**/node_modules/**'], {
          ...VERIFY_TIMEOUTS,
          ...(part in EXHAUSTIVE && NURSERY),
        }),
      ),
    ],
  },
})
