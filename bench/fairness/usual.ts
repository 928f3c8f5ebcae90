// The organization with ordinary load: it sends one request of each kind per second and measures how long each takes.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Party } from './fixture.ts'

export const KINDS = ['GET', 'create', 'list', 'report', 'workflow'] as const
export type Kind = (typeof KINDS)[number]

export interface Usual {
  /** Milliseconds. */
  times: Record<Kind, number[]>
  /** Answers that were not 2xx, by kind and status. */
  refused: Record<string, number>
}

interface Answer {
  status: number
  body: unknown
}

const LOOK_MS = 20
const RUN_SECONDS_MAX = 120

type Send = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>

const sender =
  (pool: Pool, { key }: Party): Send =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const payload = body ? JSON.stringify(body) : null
    const { statusCode, body: answer } = await pool.request({
      ...{ method, path: `/api/v1${path}`, headers, body: payload },
    })
    return { status: statusCode, body: await answer.json() }
  }

/** Starts a workflow and waits until its run is completed, for at most `RUN_SECONDS_MAX`. */
async function runWorkflow(send: Send, { workflow }: Party): Promise<Answer> {
  const begun = await send('POST', `/workflows/${workflow}/run`, {})
  const { runId } = begun.body as { runId?: string }
  const end = performance.now() + RUN_SECONDS_MAX * 1000
  while (runId && performance.now() < end) {
    const { body } = await send('GET', `/workflows/${workflow}/runs/${runId}`)
    if ((body as { status?: string }).status === 'completed') return begun
    await delay(LOOK_MS)
  }
  return begun
}

/** Sends requests for `seconds`. @param record id of a person */
export async function workAsUsual(
  url: string,
  party: Party,
  { seconds, record }: { seconds: number; record: string },
): Promise<Usual> {
  const pool = new Pool(url, { connections: 20, headersTimeout: 120_000, bodyTimeout: 120_000 })
  const send = sender(pool, party)
  const kinds: Record<Kind, () => Promise<Answer>> = {
    GET: () => send('GET', `/objects/people/records/${record}`),
    create: () => send('POST', '/objects/people/records', { data: { name: 'Ada Lovelace' } }),
    list: () => send('GET', '/objects/people/records?limit=50'),
    report: () => send('POST', `/reports/${party.report}/run`),
    workflow: () => runWorkflow(send, party),
  }
  const usual: Usual = { times: { GET: [], create: [], list: [], report: [], workflow: [] }, refused: {} }
  const once = async (kind: Kind) => {
    const startedAt = performance.now()
    const { status } = await kinds[kind]()
    usual.times[kind].push(performance.now() - startedAt)
    if (status >= 300) usual.refused[`${kind} ${status}`] = (usual.refused[`${kind} ${status}`] ?? 0) + 1
  }
  const open: Promise<void>[] = []
  for (let second = 0; second < seconds; second++) {
    for (const [place, kind] of KINDS.entries())
      open.push(delay((place * 1000) / KINDS.length).then(() => once(kind)))
    await delay(1000)
  }
  await Promise.all(open)
  await pool.close()
  return usual
}
