import { defineConfig } from 'vitest/config'
import { LongestFirst } from './server/test/longest-first.ts'
import { VERIFY_PROJECTS } from './server/test/projects.ts'

const TESTS = ['{contract,server,cli,bench,dashboard}/**/*.test.ts']
/** Changes its whole process: which certificates Node trusts is read once. */
const ISOLATED = ['server/http/egress/tls.test.ts']
const JOURNEYS = ['dashboard/e2e/**/*.test.ts']

/** A sequencer of the configuration would be used with --sequence.shuffle too. */
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))

/** Files of one worker share modules: loading the service once for each took half of the time. */
const sharing = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude, isolate: false },
})

/** MiB for young objects: tests make many that live as long as a request. It saves a tenth of the processor time. */
const NURSERY = 32

const withNursery = ({ test, ...project }: ReturnType<typeof sharing>) => ({
  ...project,
  test: { ...test, execArgv: [`--max-semi-space-size=${NURSERY}`] },
})

/** For what hangs, not for what is slow: a shared machine may be many times slower than usual, or stand still. */
const timeouts = (ms: number) => ({ testTimeout: ms, hookTimeout: ms })

/** Their tests start many processes. */
const ofVerify = (part: string) => {
  const { test, ...project } = sharing(part, [`**/*.${part}.verify.ts`], ['**/node_modules/**'])
  return { ...project, test: { ...test, ...timeouts(600_000) } }
}

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
      withNursery(sharing('server', TESTS, [...ISOLATED, ...JOURNEYS])),
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      sharing('journeys', JOURNEYS),
      // Of npm run verify, which names them
      ...VERIFY_PROJECTS.map(ofVerify),
    ],
  },
})
