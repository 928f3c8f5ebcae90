import { Gauge, Registry } from 'prom-client'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createWake } from '../../jobs/wake.ts'
import { hearWakes, sendWakes, shareMetrics } from './child.ts'
import type { ToChild } from './messages.ts'

afterEach(() => vi.useRealTimers())

test('sends one message to the worker for commits within a few milliseconds', () => {
  vi.useFakeTimers()
  const sent: unknown[] = []
  const { send } = process
  process.send = (message: unknown) => sent.push(message) > 0
  onTestFinished(() => {
    if (send) process.send = send
    else delete process.send
  })
  const wake = createWake(async () => [])
  sendWakes(wake)
  for (let commit = 0; commit < 100; commit++) wake.events()
  vi.advanceTimersByTime(5)
  wake.work()
  vi.advanceTimersByTime(5)
  expect(sent).toEqual([{ kind: 'wake' }, { kind: 'wake' }])
})

/** A process that shares its metrics. `hear` passes it messages of the first process. */
function sharing(registry: Registry) {
  const sent: unknown[] = []
  const state = { isConnected: true }
  const { send } = process
  process.send = (message: unknown, ...[, , callback]: unknown[]) => {
    sent.push(message)
    const error = state.isConnected ? null : new Error('The channel has ended')
    if (typeof callback === 'function') callback(error)
    else if (error) throw error
    return state.isConnected
  }
  const [messages, ends] = [process.listeners('message'), process.listeners('disconnect')]
  const read = shareMetrics(registry)
  const [hear] = process.listeners('message').filter((one) => !messages.includes(one))
  const [end] = process.listeners('disconnect').filter((one) => !ends.includes(one))
  onTestFinished(() => {
    if (hear) process.off('message', hear)
    if (end) process.off('disconnect', end)
    if (send) process.send = send
    else delete process.send
  })
  const disconnect = () => {
    state.isConnected = false
    end?.()
  }
  return { sent, read, disconnect, hear: (message: ToChild) => hear?.(message, undefined) }
}

test('sends no metrics if they cannot be read, and does not end the process', async () => {
  const registry = new Registry()
  const collect = () => Promise.reject(new Error('the database does not answer'))
  new Gauge({ name: 'broken', help: 'Fails', registers: [registry], collect })
  const { sent, hear } = sharing(registry)
  hear({ kind: 'collect', id: 7 })
  await expect.poll(() => sent).toEqual([{ kind: 'metrics', id: 7, metrics: [] }])
})

test('throws if the first process cannot merge the metrics', async () => {
  const { sent, read, hear } = sharing(new Registry())
  const [failed, text] = [read(), read()]
  expect(sent).toEqual([
    { kind: 'gather', id: 1 },
    { kind: 'gather', id: 2 },
  ])
  hear({ kind: 'gathered', id: 1 })
  hear({ kind: 'gathered', id: 2, text: 'up 1' })
  await expect(failed).rejects.toThrow(/could not put the metrics together/)
  expect(await text).toBe('up 1')
})

test('throws if metrics are requested before or after the channel to the first process ends', async () => {
  const { read, disconnect } = sharing(new Registry())
  const before = read()
  disconnect()
  for (const failed of [before, read()])
    await expect(failed).rejects.toThrow(/could not put the metrics together/)
})

test('the worker looks for events at each message, and for other work ten times a second', () => {
  vi.useFakeTimers()
  const wake = { events: vi.fn(), work: vi.fn() }
  const [others] = [process.listeners('message')]
  hearWakes(wake)
  const [hear] = process.listeners('message').filter((one) => !others.includes(one))
  if (hear) onTestFinished(() => void process.off('message', hear))
  for (let message = 0; message < 20; message++) {
    hear?.({ kind: 'wake' }, undefined)
    vi.advanceTimersByTime(10)
  }
  expect(wake.events).toHaveBeenCalledTimes(20)
  expect(wake.work).toHaveBeenCalledTimes(2)
})
