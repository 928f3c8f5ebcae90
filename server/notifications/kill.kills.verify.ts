// kill -9 of the consumer before and after each of its transactions: every assignment is counted exactly once.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import type { Inbox } from '../../contract/notifications.ts'
import { buildTestService } from '../test/build-app.ts'
import { CHILD_ENVIRONMENT } from '../test/child-environment.ts'
import { testDatabaseUrl } from '../test/database.ts'
import type { Task } from './kill-fixture-process.ts'

const PROCESS = fileURLToPath(new URL('./kill-fixture-process.ts', import.meta.url))

const service = await buildTestService()
const folder = await mkdtemp(join(tmpdir(), 'rapport-notifications-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** @returns whether it was killed, by itself */
async function consume(task: Task): Promise<boolean> {
  const { name } = await service.ctx.db.one<{ name: string }>(sql`select current_database() as name`)
  const env = {
    ...CHILD_ENVIRONMENT,
    DATABASE_URL: testDatabaseUrl(name),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
  }
  const child = fork(PROCESS, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  child.send(task)
  const [code, signal] = await exit
  if (signal !== 'SIGKILL') expect({ code, signal }).toEqual({ code: 0, signal: null })
  return signal === 'SIGKILL'
}

test('assignments are counted once, wherever the consumer is killed', { timeout: 120_000 }, async () => {
  const org = await service.org()
  const mia = await org.member('member')
  const assign = async () => {
    const records = Array.from({ length: 100 }, (_, nr) => ({
      data: { name: `Deal ${nr}`, owner: mia.userId },
    }))
    for (let nr = 0; nr < 3; nr++)
      expect((await org.post('/objects/deals/records/bulk', { mode: 'create', records })).status).toBe(200)
  }
  let assigned = 0
  for (const death of ['before', 'after'] as const)
    for (let at = 1, wasKilled = true; wasKilled; at++) {
      await assign()
      assigned += 300
      wasKilled = await consume({ death, at })
      if (!wasKilled) expect(at).toBeGreaterThan(3)
    }
  await consume({ death: 'never', at: 0 })
  const { notifications } = (await mia.get<Inbox>('/inbox')).body
  expect(notifications.reduce((sum, { count }) => sum + count, 0)).toBe(assigned)
})
