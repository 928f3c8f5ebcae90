// Parses request bodies: only JSON, with exact numbers, within the size limit of the route and the body budget.
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../base/errors.ts'
import { createYield } from '../base/event-loop.ts'
import { JSON_DEPTH_MAX, MalformedJson } from '../base/json.ts'
import { JsonSlices, JsonTooLarge } from '../base/json-slices.ts'
import type { DiskSpace } from '../db/disk-space/disk-space.ts'
import type { ByteBudget, ByteHold } from './byte-budget.ts'
import { byteOwnerOf } from './byte-owner.ts'
import { isEmptyBody, readBody } from './read-body.ts'
import type { App } from './request.ts'

/** Maximum fields of one object in a body; an object of the data model has at most 200 attributes. */
const BODY_FIELDS_MAX = 1000
/** Maximum characters of one text in a body; a record has at most 256 KiB, and six characters may encode each byte. */
const TEXT_CHARS_MAX = 2 * 1024 ** 2
/** The assumed minimum of bytes per value, for the limit of values. */
const BYTES_PER_VALUE = 8
/** The memory of the smallest parsed value. */
const VALUE_BYTES = 64

const boundsOf = (request: FastifyRequest) => ({
  fields: BODY_FIELDS_MAX,
  values: Math.ceil(request.routeOptions.bodyLimit / BYTES_PER_VALUE),
  stringChars: TEXT_CHARS_MAX,
  depth: JSON_DEPTH_MAX,
})

async function parseWithYields(text: string, request: FastifyRequest, hold: ByteHold): Promise<unknown> {
  const slices = new JsonSlices(text, boundsOf(request))
  const yieldIfDue = createYield()
  let counted = text.length
  while (!slices.advance()) {
    const weight = slices.values * VALUE_BYTES
    if (weight > counted) hold.grow(weight - counted)
    counted = Math.max(weight, counted)
    await yieldIfDue()
  }
  return slices.result
}

function toInvalid(error: unknown): unknown {
  if (error instanceof MalformedJson) return invalidField('', 'malformed_json', error.message)
  if (error instanceof JsonTooLarge) return invalidField('', error.code, error.message)
  return error
}

/** Drops the body of a request to an unknown URL. */
function skip(payload: Readable): undefined {
  payload.resume()
}

function requirePlain({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return
  throw new AppError(
    'unsupported_media_type',
    `Content-Encoding: ${encoding.slice(0, 40)} is not supported: send the JSON uncompressed`,
  )
}

async function readJson(request: FastifyRequest, payload: Readable, hold: ByteHold): Promise<unknown> {
  const text = await readBody(request, payload, hold)
  if (text === '') return undefined
  requirePlain(request)
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = text
  return await parseWithYields(text, request, hold)
}

async function readOther(request: FastifyRequest, payload: Readable): Promise<undefined> {
  if (await isEmptyBody(payload)) return undefined
  request.isBodyDropped = true
  throw new AppError(
    'unsupported_media_type',
    'Send the body as application/json with Content-Type: application/json',
  )
}

const mediaOf = ({ routeOptions }: FastifyRequest) => routeOptions.config?.media?.body

/** Passes the body to the handler as a stream. */
async function passOn(
  request: FastifyRequest,
  payload: Readable,
  types: readonly string[],
): Promise<Readable | undefined> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== undefined && types.includes(type)) return payload
  request.isBodyDropped = true
  payload.resume()
  throw new AppError(
    'unsupported_media_type',
    `Send the bytes of the file as they are, with Content-Type: ${types[0]}`,
  )
}

export function parseBodies(app: App, budget: ByteBudget): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyHold')
  app.decorateRequest('isBodyDropped', false)
  // The response is ready, so the parsed body is no longer needed.
  app.addHook('onSend', (request, reply, _payload, done) => {
    request.bodyHold?.release()
    // Fastify would close the connection after a body that could not be read, and the response might get lost.
    if (request.isBodyDropped) reply.removeHeader('connection')
    done()
  })
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    if (request.is404) return skip(payload)
    const types = mediaOf(request)
    if (types) return passOn(request, payload, types)
    const hold = budget.open(byteOwnerOf(request))
    request.bodyHold = hold
    return readJson(request, payload, hold).catch((error) => {
      hold.release()
      request.isBodyDropped = true
      throw toInvalid(error)
    })
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    if (request.is404) return skip(payload)
    const types = mediaOf(request)
    return types ? passOn(request, payload, types) : readOther(request, payload)
  })
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

function changes({ method, is404, routeOptions }: FastifyRequest): boolean {
  if (READS.has(method) || is404) return false
  const { scope, changesNothing, worksOnFullDisk } = routeOptions.config ?? {}
  return !(scope?.endsWith(':read') || changesNothing || worksOnFullDisk)
}

/**
 * While the disk of the database is full, requests that would write are refused before their bodies are read: the
 * remaining space is for the log of reads and of running work. Call it after authentication: clients without the right
 * to write get that error instead.
 */
export function refuseWrites(app: App, ctx: { diskSpace: Pick<DiskSpace, 'refusal'> }): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { refusal } = (request.ctx ?? ctx).diskSpace
    done(refusal && changes(request) ? refusal : null, payload)
  })
}
