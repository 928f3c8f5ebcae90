import { Gauge, Registry } from 'prom-client'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createWake } from '../events/wake.ts'
import { hearWakes, sendWakes, shareMetrics } from './child.ts'

afterEach(() => vi.useRealTimers())

test('commits of one moment are one message to the worker', () => {
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

test('metrics that cannot be read are none, and end no process', async () => {
  const sent: unknown[] = []
  const { send } = process
  process.send = (message: unknown) => sent.push(message) > 0
  const others = process.listeners('message')
  const registry = new Registry()
  const collect = () => Promise.reject(new Error('the database does not answer'))
  new Gauge({ name: 'broken', help: 'Fails', registers: [registry], collect })
  shareMetrics(registry)
  const [hear] = process.listeners('message').filter((one) => !others.includes(one))
  onTestFinished(() => {
    if (hear) process.off('message', hear)
    if (send) process.send = send
    else delete process.send
  })
  hear?.({ kind: 'collect', id: 7 }, undefined)
  await expect.poll(() => sent).toEqual([{ kind: 'metrics', id: 7, metrics: [] }])
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
