// The receiver: answers 200 at once, counts, and remembers how long after its event each request came.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { idTime } from '../../server/id.ts'
import { percentile } from '../harness/figures.ts'
import { answerMessages } from '../harness/partner.ts'

export interface Receipts {
  /** From the first to the last of those waited for. */
  elapsedMs: number
  /** From the event's id, made just before the statement that writes it, to the receipt: more than from the commit. */
  p50Ms: number
  p99Ms: number
}

interface Question {
  open?: true
  /** Forgets what came so far and waits for this many. */
  expect?: number
  /** Answers what came since. */
  receipts?: true
}

const latencies: number[] = []
let first = 0
let last = 0
let complete = Promise.withResolvers<void>()
let expected = Number.POSITIVE_INFINITY

const server = createServer((request, response) => {
  const id = request.headers['webhook-id']
  if (latencies.length === 0) first = performance.now()
  latencies.push(typeof id === 'string' ? Date.now() - idTime(id) : 0)
  last = performance.now()
  request.resume()
  response.writeHead(200).end()
  if (latencies.length === expected) complete.resolve()
})

async function open(): Promise<{ url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function receipts(): Promise<Receipts> {
  await complete.promise
  const sorted = Float64Array.from(latencies).sort()
  return { elapsedMs: last - first, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) }
}

function expect(count: number): { ready: true } {
  latencies.length = 0
  expected = count
  complete = Promise.withResolvers()
  return { ready: true }
}

async function answer({ open: isOpening, expect: count }: Question): Promise<object> {
  if (isOpening) return open()
  return count === undefined ? receipts() : expect(count)
}

answerMessages(answer)
