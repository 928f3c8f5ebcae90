import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { Counters, Gathering } from './gathering.ts'
import type { Metrics, ToChild } from './messages.ts'

interface FakeChild {
  worker: Worker
  heard: ToChild[]
}

/** A process as the first process sees it: messages in both directions are JSON. */
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

/** The answer that a process receives after it has requested the metrics of all. */
async function gatheredOf(children: FakeChild[]): Promise<ToChild | undefined> {
  const [asker] = children
  if (!asker) throw new Error('there is no child')
  const ready = children.map(({ worker }) => worker)
  await new Gathering(log).answer(7, asker.worker, { ready, replacements: [] })
  return asker.heard.find(({ kind }) => kind === 'gathered')
}

test('an unknown gauge stays NaN, which alerts distinguish from a number', async () => {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({ name: 'seconds', help: 's', registers, aggregator: 'first' }).set(Number.NaN)
  new Counter({ name: 'steps_total', help: 's', registers }).inc(3)
  const answer = await gatheredOf([childWith(registry), childWith(registry)])
  expect(answer).toMatchObject({ id: 7, text: expect.stringMatching(/^seconds Nan$/m) })
  expect(answer).toMatchObject({ text: expect.stringMatching(/^steps_total 6$/m) })
})

test('answers without text if the metrics cannot be merged', async () => {
  const registry = new Registry()
  const gauge = new Gauge({ name: 'seconds', help: 's', registers: [registry] })
  Object.assign(gauge, { aggregator: 'none' })
  expect(await gatheredOf([childWith(registry)])).toEqual({ kind: 'gathered', id: 7 })
  expect(log.warn).toHaveBeenCalledOnce()
})

/** The metrics of a process that has answered some requests, as they arrive over the channel. */
async function answering(requests: number): Promise<Metrics> {
  const registers = [new Registry()]
  const counter = new Counter({ name: 'requests_total', help: 'n', labelNames: ['route'], registers })
  const seconds = new Histogram({ name: 'seconds', help: 's', buckets: [1, 2], registers })
  const open = new Gauge({ name: 'open', help: 'o', registers })
  counter.inc({ route: '/a' }, requests)
  for (let n = 0; n < requests; n++) seconds.observe(1.5)
  open.set(requests)
  return JSON.parse(JSON.stringify(await registers[0]?.getMetricsAsJSON()))
}

type Answers = Record<string, Metrics>

/** The text of the merged metrics, given the processes that answer. */
async function read(counters: Counters<string>, answers: Answers): Promise<string[]> {
  for (const [name, metrics] of Object.entries(answers)) counters.note(name, metrics)
  const besides = counters.besides(new Set(Object.keys(answers)))
  const text = await AggregatorRegistry.aggregate([...Object.values(answers), ...besides]).metrics()
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

const shown = (requests: number, open: number) => [
  `requests_total{route="/a"} ${requests}`,
  'seconds_bucket{le="1"} 0',
  `seconds_bucket{le="2"} ${requests}`,
  `seconds_bucket{le="+Inf"} ${requests}`,
  `seconds_sum ${1.5 * requests}`,
  `seconds_count ${requests}`,
  `open ${open}`,
]

test('counters and histograms include ended processes, gauges do not', async () => {
  const counters = new Counters<string>()
  expect(await read(counters, { a: await answering(5), b: await answering(2) })).toEqual(shown(7, 7))
  counters.end('a')
  expect(new Set(await read(counters, { b: await answering(3) }))).toEqual(new Set(shown(8, 3)))
  expect(new Set(await read(counters, { b: await answering(3), c: await answering(1) }))).toEqual(
    new Set(shown(9, 4)),
  )
  counters.end('b')
  counters.end('c')
  expect(new Set(await read(counters, { d: await answering(1) }))).toEqual(new Set(shown(10, 1)))
})

test('the counters of a process that does not answer are kept', async () => {
  const counters = new Counters<string>()
  await read(counters, { a: await answering(5), b: await answering(2) })
  expect(new Set(await read(counters, { b: await answering(2) }))).toEqual(new Set(shown(7, 2)))
  expect(new Set(await read(counters, { a: await answering(6), b: await answering(2) }))).toEqual(
    new Set(shown(8, 8)),
  )
})

test('a process that ended before its metrics were collected adds nothing', async () => {
  const counters = new Counters<string>()
  counters.end('a')
  expect(await read(counters, { b: await answering(1) })).toEqual(shown(1, 1))
})
