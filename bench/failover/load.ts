// Clients that write and read continuously, and one client that follows GET /events with a cursor. Each request is
// repeated until it succeeds, a write with the same Idempotency-Key.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Change, Entry } from '../../server/test/ledger/accounts.ts'

const RECORDS = '/objects/companies/records'
const AGAIN_MS = 100
const READ_SHARE = 0.3
const BULK_SIZE = 3
const FEED_PAUSE_MS = 200

export interface FeedEvent {
  id: string
  type: 'record.created' | 'record.updated' | 'record.deleted'
  recordId: string
  version: number
  data: { name: string }
  changes?: { name?: { from: string } }
}

export interface Book {
  entries: Entry[]
  /** In the order in which they were read, over all failovers. */
  events: FeedEvent[]
  /** When a write was acknowledged, in ms of the machine's clock. */
  acknowledgedAt: number[]
  /** Number of answers by status and `committed` detail, or by the error of the connection. */
  answers: Record<string, number>
  /** Answers and connection errors that a failover does not explain. */
  faults: string[]
  /** Number of writes that were answered with `committed: unknown` and later acknowledged under the same key. */
  settled: number
}

export interface Target {
  url: string
  key: string
}

export const newBook = (): Book => ({
  ...{ entries: [], events: [], acknowledgedAt: [], answers: {}, faults: [], settled: 0 },
})

interface Answer {
  status: number
  body: Record<string, unknown>
}

interface Request {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: unknown
}

async function send(
  { url, key }: Target,
  { method, path, body }: Request,
  again?: string,
): Promise<Answer | string> {
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(again !== undefined && { 'idempotency-key': again }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  } catch (error) {
    return error instanceof Error
      ? String((error.cause as { code?: string } | undefined)?.code ?? error)
      : 'error'
  }
}

const committedOf = ({ body }: Answer) => (body['details'] as { committed?: string } | undefined)?.committed

/** Expected errors: the first attempt still runs; a list reached its time limit while the database did not respond. */
const EXCUSED = ['idempotency_in_progress', 'query_too_expensive']

function note(book: Book, request: Request, answer: Answer | string): void {
  const isExcused = typeof answer === 'object' && EXCUSED.includes(String(answer.body['error']))
  const words = typeof answer === 'string' ? answer : `${answer.status} ${committedOf(answer) ?? ''}`.trim()
  book.answers[words] = (book.answers[words] ?? 0) + 1
  if (typeof answer === 'object' && (answer.status < 300 || answer.status === 503 || isExcused)) return
  book.faults.push(`${request.method} ${request.path}: ${JSON.stringify(answer).slice(0, 300)}`)
}

/** Repeats the request until it succeeds, without a limit: the database must be back before the harness ends. */
async function settle(book: Book, target: Target, request: Request): Promise<Answer['body']> {
  const again = request.method === 'GET' ? undefined : randomUUID()
  let wasUnknown = false
  for (;;) {
    const answer = await send(target, request, again)
    note(book, request, answer)
    if (typeof answer === 'object' && answer.status < 300) {
      if (wasUnknown) book.settled++
      return answer.body
    }
    if (typeof answer === 'object' && committedOf(answer) === 'unknown') wasUnknown = true
    await delay(AGAIN_MS)
  }
}

interface Writer {
  number: number
  marks: number
  ids: string[]
}

const mark = (writer: Writer) => `w${writer.number}-${++writer.marks}`

async function write(book: Book, target: Target, request: Request, changes: Change[]) {
  const sentAt = Date.now()
  const body = await settle(book, target, request)
  const answeredAt = Date.now()
  book.acknowledgedAt.push(answeredAt)
  book.entries.push({ outcome: 'ok', changes, sentAt, answeredAt })
  return body
}

async function create(book: Book, target: Target, writer: Writer): Promise<void> {
  const marker = mark(writer)
  const change: Change = { type: 'record.created', marker }
  const { id } = await write(
    book,
    target,
    { method: 'POST', path: RECORDS, body: { data: { name: marker } } },
    [change],
  )
  change.record = String(id)
  writer.ids.push(change.record)
}

async function createInBulk(book: Book, target: Target, writer: Writer): Promise<void> {
  const changes = Array.from(
    { length: BULK_SIZE },
    (): Change => ({ type: 'record.created', marker: mark(writer) }),
  )
  const records = changes.map(({ marker }) => ({ data: { name: marker } }))
  const body = await write(
    book,
    target,
    { method: 'POST', path: `${RECORDS}/bulk`, body: { records } },
    changes,
  )
  for (const [place, { id }] of (body['results'] as { id: string }[]).entries()) {
    const change = changes[place]
    if (change) change.record = id
    writer.ids.push(id)
  }
}

async function patch(book: Book, target: Target, writer: Writer, record: string): Promise<void> {
  const marker = mark(writer)
  const request: Request = { method: 'PATCH', path: `${RECORDS}/${record}`, body: { data: { name: marker } } }
  await write(book, target, request, [{ type: 'record.updated', record, marker }])
}

async function turn(book: Book, target: Target, writer: Writer): Promise<void> {
  const record = writer.ids[Math.floor(Math.random() * writer.ids.length)]
  if (record !== undefined && Math.random() < READ_SHARE) {
    const path = Math.random() < 0.5 ? `${RECORDS}/${record}` : `${RECORDS}?limit=20`
    await settle(book, target, { method: 'GET', path })
    return
  }
  const chance = Math.random()
  if (record !== undefined && chance < 0.4) return patch(book, target, writer, record)
  return chance < 0.9 ? create(book, target, writer) : createInBulk(book, target, writer)
}

/** Resolves after `stop`, when the last request has succeeded. @param pauseMs average pause between two requests */
export async function keepWriting(
  book: Book,
  target: Target,
  number: number,
  pauseMs: number,
  stop: AbortSignal,
) {
  const writer: Writer = { number, marks: 0, ids: [] }
  while (!stop.aborted) {
    await turn(book, target, writer)
    await delay(Math.random() * 2 * pauseMs)
  }
}

async function readPage(book: Book, target: Target, after: string | undefined): Promise<FeedEvent[]> {
  const path = `/events?limit=100${after === undefined ? '' : `&after=${after}`}`
  const { events } = await settle(book, target, { method: 'GET', path })
  return events as FeedEvent[]
}

/** Reads new events from one cursor to the next. After `stop`, reads until no event is left. */
export async function followEvents(book: Book, target: Target, stop: AbortSignal): Promise<void> {
  for (;;) {
    const isLast = stop.aborted
    const events = await readPage(book, target, book.events.at(-1)?.id)
    book.events.push(...events)
    if (events.length === 0 && isLast) return
    if (events.length < 100) await delay(FEED_PAUSE_MS)
  }
}

/** Reads the whole feed again from the beginning. */
export async function readFeed(book: Book, target: Target): Promise<FeedEvent[]> {
  const read: FeedEvent[] = []
  for (;;) {
    const page = await readPage(book, target, read.at(-1)?.id)
    read.push(...page)
    if (page.length === 0) return read
  }
}

/** Reads all records. Their versions come from the followed events. */
export async function readRecords(
  book: Book,
  target: Target,
): Promise<{ id: string; name: string; version: number }[]> {
  const versions = new Map(book.events.map(({ recordId, version }) => [recordId, version]))
  const found: { id: string; name: string; version: number }[] = []
  for (let cursor = ''; ; ) {
    const path = `${RECORDS}?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const body = await settle(book, target, { method: 'GET', path })
    for (const { id, data } of body['records'] as { id: string; data: { name: string } }[])
      found.push({ id, name: data.name, version: versions.get(id) ?? 0 })
    const next = (body['pagination'] as { nextCursor?: string | null }).nextCursor
    if (typeof next !== 'string') return found
    cursor = next
  }
}
