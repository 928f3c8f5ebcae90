// Clients that read and write over both surfaces, and a record of their answers.
import { setTimeout as delay } from 'node:timers/promises'
import type { Balancer } from './pods.ts'

export interface Surface {
  name: string
  /** The prefix of the paths of requests. */
  base: string
  headers: Record<string, string>
  reads: readonly string[]
}

/** A refused write. */
interface Refusal {
  atMs: number
  status: number
  retryAfter: string | null
  reason: string | undefined
  committed: string | undefined
}

interface Tally {
  reads: number
  slowestReadMs: number
  /** Reads without a 200. */
  failedReads: string[]
  /** Names of records whose creation was acknowledged. */
  acknowledged: string[]
  refusals: Refusal[]
}

const COMPANIES = '/objects/companies/records'
const PAUSE_MS = 60
const CLIENTS = 2

interface Answer {
  status: number
  retryAfter: string | null
  text: string
}

/** @returns status 0 if there was no answer */
async function ask(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, init)
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    return { status: 0, retryAfter: null, text: `${error} ${cause}` }
  }
}

async function read(surface: Surface, balancer: Balancer, tally: Tally, turn: number): Promise<void> {
  const path = surface.reads[turn % surface.reads.length] ?? ''
  const startedAt = performance.now()
  const { status, text } = await ask(`${balancer.next()}${surface.base}${path}`, { headers: surface.headers })
  tally.reads++
  tally.slowestReadMs = Math.max(tally.slowestReadMs, performance.now() - startedAt)
  if (status !== 200) tally.failedReads.push(`${surface.name} ${path}: ${status} ${text.slice(0, 200)}`)
}

async function write(surface: Surface, balancer: Balancer, tally: Tally, name: string): Promise<void> {
  const { status, retryAfter, text } = await ask(`${balancer.next()}${surface.base}${COMPANIES}`, {
    method: 'POST',
    headers: { ...surface.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { name } }),
  })
  if (status === 201) {
    tally.acknowledged.push(name)
    return
  }
  const { details } = status === 0 ? {} : (JSON.parse(text) as { details?: Record<string, string> })
  tally.refusals.push({
    ...{ atMs: performance.now(), status, retryAfter },
    ...{ reason: details?.['reason'], committed: details?.['committed'] },
  })
}

export interface Load {
  tally: Tally
  /** Resolves when every client has ended its last request. @throws the error of a client */
  end(): Promise<void>
}

export function startLoad(surfaces: readonly Surface[], balancer: Balancer): Load {
  const tally: Tally = { reads: 0, slowestReadMs: 0, failedReads: [], acknowledged: [], refusals: [] }
  const stop = new AbortController()
  const repeat = async (work: (turn: number) => Promise<void>) => {
    for (let turn = 0; !stop.signal.aborted; turn++) {
      await work(turn)
      await delay(PAUSE_MS)
    }
  }
  const clients = surfaces.flatMap((surface) =>
    Array.from({ length: CLIENTS }, (_, number) => [
      repeat((turn) => read(surface, balancer, tally, turn + number)),
      repeat((turn) => write(surface, balancer, tally, `${surface.name} ${number} ${turn}`)),
    ]).flat(),
  )
  // `end` throws the error.
  for (const client of clients) client.catch(() => stop.abort())
  return {
    tally,
    async end() {
      stop.abort()
      await Promise.all(clients)
    },
  }
}
