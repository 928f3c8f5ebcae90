// Many sessions that follow their organizations, and edits by colleagues. Measures when each edit reaches each session.
import { setTimeout as delay } from 'node:timers/promises'
import { Client, Pool } from 'undici'
import { answerMessages } from '../harness/partner.ts'
import type { Audience, Heard, Question } from './sessions.ts'

const CONCURRENT_OPENINGS = 50
const DEADLINE_MS = 10_000
const POLL_MS = 20
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g

interface Edit {
  sentAt: number
  /** Number of streams that have not received the edit yet. */
  awaited: number
}

/** Edits by record id. A record is edited again only after all sessions received its last edit. */
const edits = new Map<string, Edit>()
const closings: (() => Promise<void>)[] = []
const followers = new Map<string, number>()
let heard: Heard = { edits: 0, delaysMs: [] }
let fault: string | undefined
let isLeaving = false

function hear(message: string): void {
  const now = performance.now()
  for (const id of new Set(message.match(UUID))) {
    const edit = edits.get(id)
    if (!edit) continue
    heard.delaysMs.push(now - edit.sentAt)
    if (--edit.awaited === 0) edits.delete(id)
  }
}

/** Resolves when the first bytes of the stream arrive. */
async function openStream(url: string, slug: string, cookie: string): Promise<void> {
  const client = new Client(url, { bodyTimeout: 0 })
  const path = `/dashboard/api/organizations/${slug}/events/stream`
  const { statusCode, body } = await client.request({ method: 'GET', path, headers: { cookie } })
  if (statusCode !== 200) throw new Error(`A stream was answered with ${statusCode}: ${await body.text()}`)
  let rest = ''
  const opened = Promise.withResolvers<void>()
  body.on('data', (piece: Buffer) => {
    opened.resolve()
    const messages = (rest + piece.toString()).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) if (message.includes('event: changes')) hear(message)
  })
  const broke = () => {
    if (!isLeaving) fault ??= `A stream of ${slug} ended`
  }
  body.on('error', broke).on('end', broke)
  closings.push(() => client.destroy())
  await opened.promise
}

async function follow(url: string, audiences: Audience[]): Promise<{ tookMs: number }> {
  const startedAt = performance.now()
  isLeaving = false
  const waiting = audiences.flatMap(({ slug, cookies }) => cookies.map((cookie) => ({ slug, cookie })))
  for (const { slug, cookies } of audiences) followers.set(slug, cookies.length)
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await openStream(url, next.slug, next.cookie)
  }
  await Promise.all(Array.from({ length: CONCURRENT_OPENINGS }, work))
  return { tookMs: performance.now() - startedAt }
}

let editing: { end(): Promise<void> } | undefined

async function editOne(pool: Pool, { slug, key, personIds }: Audience, turn: number): Promise<void> {
  const id = personIds[turn % personIds.length] ?? ''
  if (edits.has(id)) throw new Error('A record would be edited before all have heard of its last edit')
  const awaited = followers.get(slug) ?? 0
  if (awaited > 0) edits.set(id, { sentAt: performance.now(), awaited })
  heard.edits++
  const { statusCode, body } = await pool.request({
    method: 'PATCH',
    path: `/api/v1/objects/people/records/${id}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { job_title: `Title ${turn} ${Math.random()}` } }),
  })
  await body.dump()
  if (statusCode !== 200) throw new Error(`An edit was answered with ${statusCode}`)
}

function edit(url: string, { audiences, perSecond }: NonNullable<Question['edit']>): object {
  heard = { edits: 0, delaysMs: [] }
  const pool = new Pool(url, { connections: 8 })
  const open = new Set<Promise<void>>()
  const stopping = new AbortController()
  const loop = async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const audience = audiences[n % audiences.length]
      if (!audience) return
      const sending = editOne(pool, audience, Math.floor(n / audiences.length))
      open.add(sending)
      sending.then(
        () => open.delete(sending),
        (error: Error) => (fault ??= error.message),
      )
      await delay(1000 / perSecond, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const looping = loop()
  editing = {
    async end() {
      stopping.abort()
      await looping
      await Promise.allSettled(open)
      await pool.close()
    },
  }
  return {}
}

async function stop(): Promise<Heard> {
  await editing?.end()
  const deadline = performance.now() + DEADLINE_MS
  while (edits.size > 0 && performance.now() < deadline) await delay(POLL_MS)
  const missing = [...edits.values()].reduce((sum, { awaited }) => sum + awaited, 0)
  if (missing > 0) fault ??= `${missing} messages about edits did not come`
  if (fault !== undefined) throw new Error(fault)
  return heard
}

async function leave(): Promise<object> {
  isLeaving = true
  await Promise.all(closings.splice(0).map((close) => close()))
  followers.clear()
  return {}
}

answerMessages(
  async ({ url = '', follow: audiences, edit: work, stop: isStop }: Question): Promise<object> => {
    if (audiences) return follow(url, audiences)
    if (work) return edit(url, work)
    return isStop ? stop() : leave()
  },
)
