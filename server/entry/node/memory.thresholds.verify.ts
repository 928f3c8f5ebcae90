// Memory of the service while it rests.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addressOf, embeddedEnv, startService } from '../service-process.fixture.ts'

const IDLE_MB_MAX = 165

test(`idle after the first start, with the demo, it takes at most ${IDLE_MB_MAX} MB`, async () => {
  // The cache of compiled code, which tests have, is kept in memory.
  const env = { ...(await embeddedEnv()), RAPPORT_DEMO: 'on', NODE_COMPILE_CACHE: '' }
  const service = startService(env)
  await addressOf(service)
  while (!service.output().includes('API key')) await delay(100)
  expect(service.errors()).toBe('')
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8')
  expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toBeLessThan(IDLE_MB_MAX)
})
