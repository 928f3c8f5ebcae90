import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Children } from './children.ts'

/** Fake processes, of which none is started. */
function fakeProcesses(): { forked: EventEmitter[]; done: string[] } {
  const forked: EventEmitter[] = []
  const done: string[] = []
  vi.spyOn(cluster, 'setupPrimary').mockImplementation(() => undefined)
  vi.spyOn(cluster, 'fork').mockImplementation(() => {
    const pid = 100 + forked.length
    const state = { isConnected: true }
    const disconnect = () => {
      state.isConnected = false
      done.push(`${pid} disconnected`)
      worker.emit('disconnect')
    }
    const kill = (signal: string) => void done.push(`${signal} to ${pid}`)
    const worker = Object.assign(new EventEmitter(), {
      process: { pid, disconnect, kill },
      isDead: () => true,
      isConnected: () => state.isConnected,
    })
    forked.push(worker)
    return worker as unknown as Worker
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return { forked, done }
}

const createChildren = () =>
  new Children({
    ...{ log: pino({ enabled: false }), main: '', drainSeconds: 0 },
    ...{ onMessage: () => undefined, onEnd: () => undefined },
  })

test('an ended process stays in the states until it is replaced, and its end is counted', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T03:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { forked } = fakeProcesses()
  const children = createChildren()
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

describe('processes that share the socket', () => {
  const ADDRESS = 'http://127.0.0.1'
  const start = async (children: Children, forked: readonly EventEmitter[]) => {
    const started = ['api-1', 'api-2', 'worker'].map((name) => children.start({ name, env: {} }))
    for (const [nr, address] of [ADDRESS, ADDRESS, undefined].entries())
      forked[nr]?.emit('message', { kind: 'ready', address })
    await Promise.all(started)
  }

  test('stop listening after the first process, when all of them are ready for it', async () => {
    const { forked, done } = fakeProcesses()
    const children = createChildren()
    await start(children, forked)
    forked[0]?.emit('message', { kind: 'leaving' })
    expect(done).toEqual([])
    forked[1]?.emit('message', { kind: 'leaving' })
    await expect.poll(() => done).toHaveLength(4)
    expect(done).toEqual(['100 disconnected', '101 disconnected', 'SIGUSR2 to 100', 'SIGUSR2 to 101'])
    await children.stop()
  })

  test('do not wait for a process that has ended', async () => {
    const { forked, done } = fakeProcesses()
    const children = createChildren()
    await start(children, forked)
    const stopped = children.stop()
    forked[0]?.emit('message', { kind: 'leaving' })
    forked[1]?.emit('exit', 1, '')
    await expect.poll(() => done).toHaveLength(2)
    expect(done).toEqual(['100 disconnected', 'SIGUSR2 to 100'])
    await stopped
  })
})
