// Memory of the idle service.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addressOf, embeddedEnv, startService } from '../service-process.fixture.ts'

/** After a garbage collection. Resident memory varies with the time of the last collection: 163 to 206 MB measured. */
const LIVE_MB_MAX = 72

/** On each signal, prints the megabytes of objects and buffers after a garbage collection. */
const MEASURE =
  'process.on(`SIGUSR2`,()=>{gc();const{heapUsed,external}=process.memoryUsage();console.log(`live:`+(heapUsed+external)/2**20)})'

test(`after the first start, with the demo, at most ${LIVE_MB_MAX} MB of objects and buffers are in use`, async () => {
  const NODE_OPTIONS = `--expose-gc --import=data:text/javascript,${MEASURE}`
  const env = { ...(await embeddedEnv()), RAPPORT_DEMO: 'on', NODE_OPTIONS }
  const service = startService(env)
  await addressOf(service)
  while (!service.output().includes('API key')) await delay(100)
  service.child.kill('SIGUSR2')
  while (!/live:.+\n/.test(service.output())) await delay(100)
  expect(service.errors()).toBe('')
  expect(Number(/live:(.+)\n/.exec(service.output())?.[1])).toBeLessThan(LIVE_MB_MAX)
})
