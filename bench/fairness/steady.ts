// The organization that others must not disturb. It sends requests at a fixed rate from a separate address, without
// waiting for earlier answers.
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import type { Party } from './fixture.ts'

export const PACES = { GET: 20, create: 10, list: 10, stream: 2, export: 2 } as const
export type SteadyKind = keyof typeof PACES

export interface Steady {
  kinds: readonly SteadyKind[]
  seconds: number
  /** Id of a person. */
  record: string
}

export interface SteadyAnswers {
  /** Milliseconds. */
  times: Partial<Record<SteadyKind, number[]>>
  /** Answers that were not 2xx, and failures, by kind. */
  refused: Record<string, number>
}

/** Only this organization uses the address, so it does not reach the limit of connections per address. */
const ADDRESS = '127.0.0.2'

type Call = Pick<Dispatcher.RequestOptions, 'method' | 'path'> & { body?: object; isSession?: boolean }

function callOf(kind: SteadyKind, { slug }: Party, record: string): Call {
  const base = `/dashboard/api/organizations/${slug}`
  const people = '/api/v1/objects/people/records'
  const columns = { columns: ['name', 'job_title'] }
  if (kind === 'GET') return { method: 'GET', path: `${people}/${record}` }
  if (kind === 'create') return { method: 'POST', path: people, body: { data: { name: 'Ada Lovelace' } } }
  if (kind === 'list') return { method: 'GET', path: `${people}?limit=50&count=false` }
  if (kind === 'stream') return { method: 'GET', path: `${base}/events/stream`, isSession: true }
  return { method: 'POST', path: `${base}/objects/people/records/export`, body: columns, isSession: true }
}

/** @returns the status: of a stream as soon as it begins, of other answers after the whole body */
async function send(agent: Agent, origin: string, { key, cookie }: Party, call: Call): Promise<number> {
  const { method, path, body, isSession = false } = call
  const answer = await agent.request({
    ...{ origin, method, path, body: body ? JSON.stringify(body) : null },
    headers: {
      ...(isSession ? { cookie } : { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
  })
  if (!path.endsWith('/events/stream')) await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER })
  else answer.body.on('error', () => undefined).destroy()
  return answer.statusCode
}

export async function workSteadily(
  url: string,
  party: Party,
  { kinds, seconds, record }: Steady,
): Promise<SteadyAnswers> {
  const agent = new Agent({ localAddress: ADDRESS, headersTimeout: 60_000 })
  const found: SteadyAnswers = { times: {}, refused: {} }
  const count = (what: string) => {
    found.refused[what] = (found.refused[what] ?? 0) + 1
  }
  const once = async (kind: SteadyKind) => {
    const startedAt = performance.now()
    try {
      const status = await send(agent, url, party, callOf(kind, party, record))
      if (status >= 300) count(`${kind} ${status}`)
    } catch (error) {
      count(`${kind} ${(error as NodeJS.ErrnoException).code ?? error}`)
    }
    const times = found.times[kind] ?? []
    found.times[kind] = times
    times.push(performance.now() - startedAt)
  }
  const open: Promise<void>[] = []
  const every = async (kind: SteadyKind) => {
    for (let nr = 0; nr < seconds * PACES[kind]; nr++) {
      open.push(once(kind))
      await delay(1000 / PACES[kind])
    }
  }
  await Promise.all(kinds.map(every))
  await Promise.all(open)
  await agent.destroy()
  return found
}
