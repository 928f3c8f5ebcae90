import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { Counter, Gauge, Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { Gathering } from './gathering.ts'
import type { ToChild } from './messages.ts'

interface FakeChild {
  worker: Worker
  heard: ToChild[]
}

/** A process as the first one sees it: what is sent either way is JSON. */
function childWith(registry: Registry): FakeChild {
  const heard: ToChild[] = []
  const answer = async (id: number) => {
    const message = { kind: 'metrics', id, metrics: await registry.getMetricsAsJSON() }
    worker.emit('message', JSON.parse(JSON.stringify(message)))
  }
  const send = (message: ToChild) => {
    heard.push(JSON.parse(JSON.stringify(message)))
    if (message.kind === 'collect') void answer(message.id)
    return true
  }
  const worker = Object.assign(new EventEmitter(), { send, isDead: () => false, isConnected: () => true })
  return { worker: worker as unknown as Worker, heard }
}

const log = { warn: vi.fn() }

/** What the first of the processes hears when it has asked for the metrics of all. */
async function gatheredOf(children: FakeChild[]): Promise<ToChild | undefined> {
  const [asker] = children
  if (!asker) throw new Error('there is no child')
  const ready = children.map(({ worker }) => worker)
  await new Gathering(log).answer(7, asker.worker, { ready, replacements: [] })
  return asker.heard.find(({ kind }) => kind === 'gathered')
}

test('a gauge that is not known stays NaN, which alerts tell from a number', async () => {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({ name: 'seconds', help: 's', registers, aggregator: 'first' }).set(Number.NaN)
  new Counter({ name: 'steps_total', help: 's', registers }).inc(3)
  const answer = await gatheredOf([childWith(registry), childWith(registry)])
  expect(answer).toMatchObject({ id: 7, text: expect.stringMatching(/^seconds Nan$/m) })
  expect(answer).toMatchObject({ text: expect.stringMatching(/^steps_total 6$/m) })
})

test('the process that asked hears that the metrics could not be put together', async () => {
  const registry = new Registry()
  const gauge = new Gauge({ name: 'seconds', help: 's', registers: [registry] })
  Object.assign(gauge, { aggregator: 'none' })
  expect(await gatheredOf([childWith(registry)])).toEqual({ kind: 'gathered', id: 7 })
  expect(log.warn).toHaveBeenCalledOnce()
})
