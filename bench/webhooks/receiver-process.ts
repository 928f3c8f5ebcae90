// The receiver: answers 200 immediately, and counts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerMessages } from '../harness/partner.ts'

export interface Receipts {
  /** Time from the first to the last of the expected requests. */
  elapsedMs: number
}

interface Question {
  open?: true
  /** Resets the count, and expects this number of requests. */
  expect?: number
  /** Answers when all expected requests have arrived. */
  receipts?: true
}

let count = 0
let first = 0
let last = 0
let complete = Promise.withResolvers<void>()
let expected = Number.POSITIVE_INFINITY

const server = createServer((request, response) => {
  last = performance.now()
  if (++count === 1) first = last
  request.resume()
  response.writeHead(200).end()
  if (count === expected) complete.resolve()
})

async function open(): Promise<{ url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function receipts(): Promise<Receipts> {
  await complete.promise
  return { elapsedMs: last - first }
}

function expect(wanted: number): { ready: true } {
  count = 0
  expected = wanted
  complete = Promise.withResolvers()
  return { ready: true }
}

async function answer({ open: isOpening, expect: wanted }: Question): Promise<object> {
  if (isOpening) return open()
  return wanted === undefined ? receipts() : expect(wanted)
}

answerMessages(answer)
