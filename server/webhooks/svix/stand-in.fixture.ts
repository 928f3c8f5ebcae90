// Simulates Svix on loopback: checks each request against the published API, records requests, and fails on demand.
import { Check, Errors } from 'typebox/value'
import { type Received, type Receiver, type Reply, startReceiver } from '../../test/receiver.ts'
import { OPERATIONS, type Operation, PathName } from './published-api.fixture.ts'

export interface TakenMessage {
  /** uid of the application */
  app: string
  eventId: string
  eventType: string
  /** The complete body of the request, unchanged. */
  text: string
  idempotencyKey: string | undefined
}

interface Asked {
  operation: string
  /** The value of the path parameter; empty without one. */
  name: string
}

/** Replaces the response. With `isDone`, the operation is executed before. */
export type Interference = Reply & { isDone?: boolean }

export interface StandIn {
  url: string
  token: string
  /** Names by uid. */
  applications: Map<string, string>
  eventTypes: Map<string, { description: string; schemas: Record<string, object> }>
  /** Accepted messages, each once, in order. */
  messages: TakenMessage[]
  /** All requests, in order. */
  asked: Asked[]
  /** Violations of the published API. */
  faults: string[]
  /** Sets how following requests are answered; undefined: normally. */
  interfere(how?: (asked: Asked) => Interference | undefined): void
  received: Receiver['received']
  count: Receiver['count']
  close(): Promise<void>
}

export const TOKEN = 'testsk_5mSk0WjUeb1.eu'

const JSON_TYPE = { 'content-type': 'application/json' }
const json = (status: number, body: object): Reply => ({
  status,
  headers: JSON_TYPE,
  body: JSON.stringify(body),
})
const failure = (status: number, code: string) => json(status, { code, detail: `this is a ${code}` })

interface Matched {
  operation: Operation
  name: string
  query: Record<string, string>
}

function match({ method, path }: Received): Matched | undefined {
  const { pathname, searchParams } = new URL(path, 'http://svix')
  for (const operation of OPERATIONS) {
    const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/, '([^/]+)')}$`)
    const [whole, name = ''] = pattern.exec(pathname) ?? []
    if (operation.method === method && whole !== undefined)
      return { operation, name, query: Object.fromEntries(searchParams) }
  }
  return undefined
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The violations of the published API in a request. */
function* faultsOf({ operation, name, query }: Matched, { headers, body }: Received): Generator<string> {
  if (operation.path.includes('{') && !Check(PathName, name)) yield `the path names ${name}`
  if (!Check(operation.query, query)) yield `the query is ${JSON.stringify(query)}`
  if (headers['idempotency-key'] !== undefined && !operation.takesIdempotencyKey) yield 'an idempotency-key'
  if (operation.body === undefined) {
    if (body.length > 0) yield 'a body'
    return
  }
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) yield 'no content-type application/json'
  const content = parsed(body)
  if (content === undefined) yield 'the body is no JSON'
  else
    for (const { instancePath, message } of Errors(operation.body, content))
      yield `body${instancePath} ${message}`
}

type World = Pick<StandIn, 'applications' | 'eventTypes' | 'messages'>
type Handler = (world: World, asked: Matched, request: Received) => Reply

const NOW = '2026-11-20T10:00:00.000Z'

interface Content {
  uid: string
  name: string
  eventId: string
  eventType: string
  description: string
  schemas: Record<string, object>
}

/** The body was checked before. */
const bodyOf = ({ body }: Received) => parsed(body) as Content

const typeOut = (name: string) => ({
  name,
  description: '',
  deprecated: false,
  createdAt: NOW,
  updatedAt: NOW,
})

const HANDLERS: Readonly<Record<string, Handler>> = {
  'v1.application.create'({ applications }, { query }, request) {
    const { uid, name } = bodyOf(request)
    const isThere = applications.has(uid)
    if (isThere && query['get_if_exists'] !== 'true') return failure(409, 'conflict')
    if (!isThere) applications.set(uid, name)
    const [id, metadata] = [`app_${uid}`, {}]
    return json(isThere ? 200 : 201, { id, uid, name, metadata, createdAt: NOW, updatedAt: NOW })
  },
  'v1.message.create'({ applications, messages }, { name: app }, request) {
    const { eventId, eventType } = bodyOf(request)
    if (!applications.has(app)) return failure(404, 'not_found')
    if (messages.some((one) => one.eventId === eventId)) return failure(409, 'event_exists')
    const idempotencyKey = [request.headers['idempotency-key']].flat()[0]
    messages.push({ app, eventId, eventType, text: request.body.toString(), idempotencyKey })
    return json(202, { id: `msg_${eventId}`, eventId, eventType, payload: {}, timestamp: NOW })
  },
  'v1.authentication.app-portal-access'({ applications }, { name }) {
    if (!applications.has(name)) return failure(404, 'not_found')
    return json(200, { url: `https://app.svix.example/login#key=${name}`, token: 'appsk_1' })
  },
  'v1.event-type.list': () => json(200, { data: [], done: true, iterator: null }),
  'v1.event-type.create'({ eventTypes }, _asked, request) {
    const { name, description, schemas } = bodyOf(request)
    if (eventTypes.has(name)) return failure(409, 'conflict')
    eventTypes.set(name, { description, schemas })
    return json(201, typeOut(name))
  },
  'v1.event-type.patch'({ eventTypes }, { name }, request) {
    if (!eventTypes.has(name)) return failure(404, 'not_found')
    const { description, schemas } = bodyOf(request)
    eventTypes.set(name, { description, schemas })
    return json(200, typeOut(name))
  },
}

function serve(world: StandIn, asked: Matched, request: Received): Reply {
  if (request.headers.authorization !== `Bearer ${world.token}`) return failure(401, 'authentication_failed')
  const faults = [...faultsOf(asked, request)]
  world.faults.push(...faults.map((fault) => `${asked.operation.id}: ${fault}`))
  if (faults.length > 0) return json(422, { detail: [] })
  return HANDLERS[asked.operation.id]?.(world, asked, request) ?? failure(500, 'server_error')
}

/** Listens on a free port. The caller closes it. */
export async function startStandIn(): Promise<StandIn> {
  const { url, answer, received, count, close } = await startReceiver()
  let meddle: (asked: Asked) => Interference | undefined = () => undefined
  const world: StandIn = {
    ...{ url, token: TOKEN, received, count, close },
    ...{ applications: new Map(), eventTypes: new Map(), messages: [], asked: [], faults: [] },
    interfere(how = () => undefined) {
      meddle = how
    },
  }
  answer((request) => {
    const matched = match(request)
    if (!matched) {
      world.faults.push(`there is no ${request.method} ${request.path}`)
      return failure(404, 'not_found')
    }
    const asked = { operation: matched.operation.id, name: matched.name }
    world.asked.push(asked)
    const instead = meddle(asked)
    if (instead && !instead.isDone) return instead
    const reply = serve(world, matched, request)
    return instead ?? reply
  })
  return world
}
