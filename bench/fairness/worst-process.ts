// The organization with the heaviest load, in a separate process: each kind of load uses several connections. Each
// connection sends its next request when the last is answered. Refused requests are counted too.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Party } from './fixture.ts'

interface Begin {
  url: string
  party: Party
}

/** Answers by status. */
const answers: Record<string, number> = {}
const agent = new Agent({ connections: null, bodyTimeout: 0, headersTimeout: 0 })
let isOver = false

interface Call {
  path: string
  method?: 'GET' | 'POST' | 'PUT'
  body?: string | Buffer
  headers?: Record<string, string>
  /** Pauses after each chunk of the answer. */
  isSlow?: boolean
}

async function send({ url, party }: Begin, { path, method = 'POST', body, headers, isSlow }: Call) {
  const isSession = path.startsWith('/dashboard')
  const answer = await request(path.startsWith('http') ? path : `${url}${path}`, {
    ...{ method, dispatcher: agent, body: body ?? null },
    headers: {
      ...(isSession ? { cookie: party.cookie } : { authorization: `Bearer ${party.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  answers[answer.statusCode] = (answers[answer.statusCode] ?? 0) + 1
  if (isSlow) {
    for await (const _ of answer.body) {
      if (isOver) break
      await delay(1000)
    }
    return undefined
  }
  return answer.body.text()
}

const random = () => randomBytes(8).toString('hex')

const search = (n: number) => ({
  path: '/api/v1/objects/people/records/search',
  body: JSON.stringify({
    filters: Array.from({ length: 20 }, (_, place) => ({
      ...{ attributeSlug: 'job_title', operator: 'endsWith', value: `nothing ${place} ${n}` },
    })),
  }),
})

const bulk = () => ({
  path: '/api/v1/objects/companies/records/bulk',
  body: JSON.stringify({
    records: Array.from({ length: 100 }, () => ({ data: { name: random(), domain: `${random()}.example` } })),
  }),
})

const CSV = `Name,Email\n${Array.from({ length: 20_000 }, (_, n) => `Person ${n},p${n}@example.com`).join('\n')}`
const MAPPING = {
  mapping: [
    { index: 0, attributeSlug: 'name' },
    { index: 1, attributeSlug: 'email' },
  ],
}

async function importOne(begin: Begin, base: string): Promise<void> {
  const text = await send(begin, {
    ...{ path: `${base}/objects/people/imports`, body: CSV, headers: { 'content-type': 'text/csv' } },
  })
  const { id } = JSON.parse(text ?? '{}') as { id?: string }
  if (id) await send(begin, { path: `${base}/imports/${id}/check`, body: JSON.stringify(MAPPING) })
  await delay(1000)
}

async function uploadOne(begin: Begin): Promise<void> {
  const asked = JSON.stringify({ bucket: 'bench', path: random() })
  const text = await send(begin, { path: '/api/v1/files/upload-url', body: asked })
  const { signedUrl } = JSON.parse(text ?? '{}') as { signedUrl?: string }
  const body = randomBytes(2 * 1024 * 1024)
  const headers = { 'content-type': 'application/octet-stream' }
  if (signedUrl) await send(begin, { path: signedUrl, method: 'PUT', body, headers })
}

/** The kinds of requests, each with the number of requests in flight. */
const kindsOf = (begin: Begin): [count: number, one: (n: number) => Promise<unknown>][] => {
  const { party } = begin
  const base = `/dashboard/api/organizations/${party.slug}`
  const columns = JSON.stringify({ columns: ['name', 'job_title'] })
  return [
    [12, (n) => send(begin, search(n))],
    [4, () => send(begin, bulk())],
    [
      12,
      () =>
        send(begin, {
          path: `/api/v1/reports/${party.report}/run`,
          headers: { 'idempotency-key': random() },
        }),
    ],
    [4, () => send(begin, { path: `${base}/objects/people/records/export`, body: columns, isSlow: true })],
    [3, () => importOne(begin, base)],
    [
      4,
      () =>
        send(begin, { path: `/api/v1/workflows/${party.workflow}/run`, body: '{}' }).then(() => delay(50)),
    ],
    [2, () => uploadOne(begin)],
    [40, () => send(begin, { path: '/api/v1/objects/people/records?limit=5', method: 'GET' })],
  ]
}

const IDLE_CONNECTIONS = 300

/** Opens connections that send nothing. */
function keepIdle({ url }: Begin): void {
  const { hostname, port } = new URL(url)
  for (let n = 0; n < IDLE_CONNECTIONS; n++) connect(Number(port), hostname).on('error', () => undefined)
}

async function repeat(one: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; !isOver; n++)
    await one(n).catch(async () => {
      answers['broken'] = (answers['broken'] ?? 0) + 1
      await delay(100)
    })
}

process.on('message', (message: { begin?: Begin; end?: true }) => {
  if (message.begin) {
    keepIdle(message.begin)
    for (const [count, one] of kindsOf(message.begin)) for (let n = 0; n < count; n++) void repeat(one)
    process.send?.({ begun: true })
  }
  if (message.end) {
    isOver = true
    process.send?.({ answers })
  }
})
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())
