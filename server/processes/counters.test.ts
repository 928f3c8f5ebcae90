import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Counters } from './counters.ts'
import type { Metrics } from './messages.ts'

/** A process that has answered a number of requests, as it is seen over the channel. */
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

/** The text that is read, of those that answer. */
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

test('counters and histograms go on where a process has ended, gauges do not', async () => {
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

test('a process that does not answer keeps what it had counted', async () => {
  const counters = new Counters<string>()
  await read(counters, { a: await answering(5), b: await answering(2) })
  expect(new Set(await read(counters, { b: await answering(2) }))).toEqual(new Set(shown(7, 2)))
  expect(new Set(await read(counters, { a: await answering(6), b: await answering(2) }))).toEqual(
    new Set(shown(8, 8)),
  )
})

test('a process that ended before it was ever asked has counted nothing', async () => {
  const counters = new Counters<string>()
  counters.end('a')
  expect(await read(counters, { b: await answering(1) })).toEqual(shown(1, 1))
})
