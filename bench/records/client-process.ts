// The client's process: sends requests one after the other, or as several concurrent clients.

import { Client } from 'undici'
import { answerMessages } from '../harness/partner.ts'
import type { Asked, Asking } from './client.ts'

async function send(client: Client, { method, path, headers, body }: Asking['requests'][number]) {
  const startedAt = performance.now()
  const answer = await client.request({ method, path, headers, ...(body !== undefined && { body }) })
  const text = await answer.body.text()
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text.slice(0, 500)}`)
  return performance.now() - startedAt
}

/** Longer than any statement may take. */
const ANSWER_MS = 120_000

async function ask({ url, requests, clients, seconds, times }: Asking): Promise<Asked> {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  let next = 0
  const isOver = () => performance.now() - startedAt >= seconds * 1000 && next % requests.length === 0
  const work = async () => {
    const client = new Client(url, { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS })
    while (next < times && !isOver()) {
      const request = requests[next++ % requests.length]
      if (request) latenciesMs.push(await send(client, request))
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: clients }, work))
  return { latenciesMs, elapsedMs: performance.now() - startedAt }
}

answerMessages(ask)
