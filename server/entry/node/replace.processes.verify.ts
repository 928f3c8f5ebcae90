// The process that `node server/main.ts` becomes.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createTestDatabase, testDatabaseUrl } from '../../test/database.ts'
import { addressOf, embeddedEnv, startService } from '../service-process.fixture.ts'

const { connection } = await createTestDatabase()

const commandOf = async (pid: number | undefined) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')

test('has the flags of the service and those of its command line', async () => {
  const env = { ...(await embeddedEnv()), DATABASE_URL: testDatabaseUrl(connection.database) }
  const service = startService({ ...env, NODE_OPTIONS: '--max-semi-space-size=3' }, [
    ...[process.execPath, '--stack-size=900', 'server/main.ts'],
  ])
  await addressOf(service)
  const command = await commandOf(service.child.pid)
  expect(command[1]).toMatch(/^--import=file:.*load-stripped\.js$/)
  // The flag of NODE_OPTIONS is kept.
  expect(command.slice(2, 4)).toEqual(['--heap-growing-percent=100', '--stack-size=900'])
  expect(service.errors()).toBe('')
})
