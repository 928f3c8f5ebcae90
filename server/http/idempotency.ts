// Idempotency-Key (decisions, section 1): a repeated POST, PUT, PATCH or DELETE gets the first response.
//
// The whole request runs in one transaction that also stores its response, so both are committed or neither. If the
// process is killed during the request, nothing was done, and the repeat executes it. A transaction-level lock on the
// key shows a second request that the first is still running; the lock ends with the connection.
//
// Routes of the directory commit there first. If the process is killed before the response is stored, the repeat finds
// the changes of the first request, and gets the corresponding error.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import sql from 'sql-template-tag'
import { AppError, invalid } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import type { RequestContext } from './begin.ts'
import { errorBody, JSON_TYPE } from './render-errors.ts'
import type { BeforeTransaction } from './request.ts'

const MUTATING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const KEY_MAX = 255
const PRINTABLE = /^[\x20-\x7e]+$/

interface Answer {
  status: number
  etag: string | null
  body: string
}

interface StoredAnswer extends Answer {
  fingerprint: Buffer
}

function requireKey(header: string | string[]): string {
  if (typeof header === 'string' && header.length <= KEY_MAX && PRINTABLE.test(header)) return header
  const message = `must be 1 to ${KEY_MAX} printable ASCII characters`
  throw invalid('invalid_parameter', [{ path: 'Idempotency-Key', code: 'invalid_idempotency_key', message }])
}

const sha256 = (text: string) => hash('sha256', text, 'buffer')

const fingerprintOf = ({ method, url, rawBody }: FastifyRequest) =>
  sha256(`${method} ${url}\n${rawBody ?? ''}`)

const inProgress = () =>
  new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running: try again shortly',
  )

/** Locks the key for this transaction. @throws 409 idempotency_in_progress */
async function claim(tx: Db, keyId: string, key: string): Promise<void> {
  const lock = sha256(`${keyId} ${key}`).readBigInt64BE().toString()
  const { taken } = await tx.one<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lock}::bigint) as taken`,
  )
  if (!taken) throw inProgress()
}

/**
 * The stored response of the first request. The wait of its commit for a standby may have been cancelled, so that only
 * this server has it. The row lock is a change, so the commit of the repeat waits for the standbys again.
 */
async function findAnswer(tx: Db, request: FastifyRequest, key: string): Promise<Answer | undefined> {
  const { org, keyId } = request.caller
  const stored = await tx.maybeOne<StoredAnswer>(sql`
    select fingerprint, status, etag, body from idempotent_answers
    where org = ${org} and api_key = ${keyId} and key = ${key} and created_at > now() - interval '24 hours'
    for no key update`)
  if (stored && !stored.fingerprint.equals(fingerprintOf(request)))
    throw new AppError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another method, path or body: send a new key',
    )
  return stored && opened(request, key, stored)
}

const insertAnswer = (
  tx: Db,
  { caller, ...rest }: { caller: FastifyRequest['caller']; key: string; fingerprint: Buffer; answer: Answer },
) =>
  tx.run(sql`
    insert into idempotent_answers (org, api_key, key, fingerprint, status, etag, body)
    values (${caller.org}, ${caller.keyId}, ${rest.key}, ${rest.fingerprint}, ${rest.answer.status}, ${rest.answer.etag}, ${rest.answer.body})
    on conflict (org, api_key, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, etag = excluded.etag,
          body = excluded.body, created_at = now()`)

/** No JSON begins with this prefix. */
const SEALED = 'sealed:'

const sealedFor = ({ caller }: FastifyRequest, key: string) =>
  `idempotent_answer:${caller.org}:${caller.keyId}:${key}`

/** The response as it is stored: a response that may contain secrets is encrypted with the key of the installation. */
function sealed(request: FastifyRequest, key: string, answer: Answer): Answer {
  if (!request.routeOptions.config.answersSecrets) return answer
  const { secrets } = request.ctx
  return {
    ...answer,
    body: SEALED + secrets.seal(answer.body, sealedFor(request, key)).toString('base64'),
  }
}

function opened<One extends Answer>(request: FastifyRequest, key: string, stored: One): One {
  if (!stored.body.startsWith(SEALED)) return stored
  const bytes = Buffer.from(stored.body.slice(SEALED.length), 'base64')
  return { ...stored, body: request.ctx.secrets.open(bytes, sealedFor(request, key)) }
}

type Handle = (ctx: RequestContext) => Promise<unknown>

/** The response of the handler. An error for the client is a response too; its changes are rolled back. */
async function answerOf(
  handle: () => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  // Resets what an earlier try set, which PostgreSQL ended.
  reply.code(200).removeHeader('etag')
  try {
    const payload = await handle()
    const body = typeof payload === 'string' ? payload : String(reply.serialize(payload))
    return { status: reply.statusCode, etag: (reply.getHeader('etag') as string | undefined) ?? null, body }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { status: error.status, etag: null, body: JSON.stringify(errorBody(error, request.id)) }
  }
}

const keyOf = ({ headers }: FastifyRequest) => requireKey(headers['idempotency-key'] ?? '')

type Answered = Answer & { replayed: boolean }

/** @returns the response of a completed first request @throws 409 idempotency_in_progress, idempotency_conflict */
const answerBefore = (request: FastifyRequest): Promise<Answered | undefined> =>
  request.ctx.db.transaction(async (tx) => {
    const key = keyOf(request)
    await claim(tx, request.caller.keyId ?? '', key)
    const first = await findAnswer(tx, request, key)
    return first && { ...first, replayed: true }
  })

/** Requests of this process that wait for something before their transaction. */
const waiting = new Set<string>()

/** Runs `wait` of the route outside any transaction, then answers. A repeat does not wait. */
async function answerAfterWaiting(
  request: FastifyRequest,
  wait: BeforeTransaction,
  answer: () => Promise<Answered>,
): Promise<Answered> {
  const first = await answerBefore(request)
  if (first) return first
  const name = `${request.caller.keyId} ${keyOf(request)}`
  if (waiting.has(name)) throw inProgress()
  waiting.add(name)
  try {
    return await wait(request, answer)
  } finally {
    waiting.delete(name)
  }
}

function answerOnce(request: FastifyRequest, reply: FastifyReply, handle: Handle): Promise<Answered> {
  const key = keyOf(request)
  const { caller } = request
  return request.ctx.db.transaction(async (tx) => {
    await claim(tx, caller.keyId ?? '', key)
    const first = await findAnswer(tx, request, key)
    if (first) return { ...first, replayed: true }
    const { ctx } = request
    const inside = () => tx.transaction((inner) => handle({ ...ctx, db: inner }))
    const answer = await answerOf(inside, request, reply)
    await keepAnswer(tx, request, answer)
    return { ...answer, replayed: false }
  })
}

/** A refusal is not stored, because it changed nothing: the corrected request may use the same key. */
async function keepAnswer(tx: Db, request: FastifyRequest, answer: Answer): Promise<void> {
  if (answer.status >= 400) return
  const { caller } = request
  const key = keyOf(request)
  const stored = sealed(request, key, answer)
  await insertAnswer(tx, { caller, key, fingerprint: fingerprintOf(request), answer: stored })
}

/** Answers a request of a directory route, whose changes are committed before the response is stored. */
async function answerThenKeep(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: Handle,
): Promise<Answered> {
  const { ctx } = request
  const answer = await answerOf(() => handle(ctx), request, reply)
  await ctx.db.transaction((tx) => keepAnswer(tx, request, answer))
  return { ...answer, replayed: false }
}

const withoutWaiting: BeforeTransaction = (_request, work) => work()

/** Wraps the handler of a mutating route; requests without the header are handled directly. */
function idempotent(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (this, request, reply) {
    if (request.headers['idempotency-key'] === undefined) return handler.call(this, request, reply)
    const handle: Handle = async (ctx) => {
      request.ctx = ctx
      return handler.call(this, request, reply)
    }
    const { beforeTransaction: wait, isOfDirectory } = request.routeOptions.config
    const once = () => answerOnce(request, reply, handle)
    const kept = () => answerThenKeep(request, reply, handle)
    const answer = isOfDirectory
      ? await answerAfterWaiting(request, withoutWaiting, kept)
      : await (wait ? answerAfterWaiting(request, wait, once) : once())
    reply.code(answer.status).type(JSON_TYPE)
    if (answer.etag) reply.header('etag', answer.etag)
    if (answer.replayed) reply.header('idempotent-replayed', 'true')
    return reply.send(answer.body)
  }
}

/** An onRoute hook. A file is not stored as a response: each request sends it. */
export function makeIdempotent(route: RouteOptions): void {
  if (route.config?.media?.response) return
  const methods = [route.method].flat()
  if (methods.some((method) => MUTATING.has(method))) route.handler = idempotent(route.handler)
}
