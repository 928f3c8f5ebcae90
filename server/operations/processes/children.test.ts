import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Children } from './children.ts'

/** Processes that are only started in name. */
function fakeProcesses(): EventEmitter[] {
  const forked: EventEmitter[] = []
  vi.spyOn(cluster, 'setupPrimary').mockImplementation(() => undefined)
  vi.spyOn(cluster, 'fork').mockImplementation(() => {
    const pid = 100 + forked.length
    const worker = Object.assign(new EventEmitter(), { process: { pid }, isDead: () => true })
    forked.push(worker)
    return worker as unknown as Worker
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return forked
}

test('a process that has ended is among the states until it is replaced, and its end is counted', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T03:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const forked = fakeProcesses()
  const log = pino({ enabled: false })
  const ignored = () => undefined
  const children = new Children({ log, main: '', drainSeconds: 0, onMessage: ignored, onEnd: ignored })
  const started = children.start({ name: 'api-1', env: {} })
  forked[0]?.emit('message', { kind: 'ready', address: 'http://127.0.0.1' })
  await started
  expect(children.states).toMatchObject([{ name: 'api-1', pid: 100, isReady: true }])
  forked[0]?.emit('exit', 1, '')
  const state = { name: 'api-1', isReady: false, silentSeconds: undefined }
  expect(children.states).toEqual([{ ...state, pid: undefined }])
  expect(children.replacements).toEqual([
    { name: 'api-1', reason: 'ended', count: 1, lastAt: '2026-11-26T03:00:00.000Z' },
  ])
  vi.advanceTimersByTime(200)
  expect(children.states).toEqual([{ ...state, pid: 101 }])
  await children.stop()
})
