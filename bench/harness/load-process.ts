// The load process: autocannon, controlled by messages that name the requests and the URL.

import autocannon, { type Request, type Result } from 'autocannon'
import { percentile } from './figures.ts'
import type { Load, LoadResult, OpenStreams, Stream } from './load.ts'
import { answerMessages } from './partner.ts'

interface Question {
  open?: { module: string; params: unknown }
  run?: Load
}

let streams: Record<string, Stream> = {}

async function open({ module, params }: NonNullable<Question['open']>): Promise<{ ready: true }> {
  const { openStreams } = (await import(module)) as { openStreams: OpenStreams<unknown, string> }
  streams = openStreams(params)
  return { ready: true }
}

const STOP_CHECK_MS = 50

function fire({ url, connections, seconds }: Load, stream: Stream) {
  const latencies: number[] = []
  return new Promise<{ latencies: number[]; result: Result }>((resolve, reject) => {
    // autocannon adds Content-Length to the headers object. The copy allows streams to share one headers object.
    const setupRequest = (request: Request) => {
      const next = stream()
      return Object.assign(request, next, { headers: { ...next.headers } })
    }
    const requests = [{ setupRequest }]
    const options = { url, connections, duration: seconds, sampleInt: STOP_CHECK_MS, requests }
    autocannon(options, (error, result) => (error ? reject(error) : resolve({ latencies, result }))).on(
      'response',
      (_client, _status, _bytes, ms) => latencies.push(ms),
    )
  })
}

const statuses = ({ statusCodeStats }: Result) =>
  Object.entries(statusCodeStats)
    .map(([status, { count }]) => `${count} × ${status}`)
    .join(', ')

async function run(load: Load): Promise<LoadResult> {
  const stream = streams[load.stream]
  if (!stream) throw new Error(`There is no stream ${load.stream}`)
  const { latencies, result } = await fire(load, stream)
  if (result.non2xx + result.errors > 0)
    throw new Error(`${load.stream}: ${result.errors} requests failed, the others: ${statuses(result)}`)
  if (latencies.length === 0) throw new Error(`${load.stream}: no request was answered in ${load.seconds} s`)
  const sorted = Float64Array.from(latencies).sort()
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    requests: result['2xx'],
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}

answerMessages(async ({ open: opening, run: load }: Question) =>
  opening ? open(opening) : load ? run(load) : {},
)
