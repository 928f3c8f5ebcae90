// Responses of the API document: those of the route, and every error that the route, its method or its path implies.
import { API_ERROR_STATUS, type ApiErrorCode, ERROR_EXAMPLES } from '../../../contract/errors.ts'
import { POSITION_HEADER } from '../../../contract/paging.ts'
import type { Scope } from '../../../contract/scopes.ts'
import {
  JSON_MEDIA,
  type Media,
  type OpenApiDocument,
  type Ref,
  type Response,
  refTo,
  type Schema,
} from './document.ts'

const integer: Schema = { type: 'integer', minimum: 0 }
const text: Schema = { type: 'string' }

export const RESPONSE_HEADERS: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': {
    description: 'Id of the request: the id that you sent, if any',
    required: true,
    schema: text,
  },
  'X-RateLimit-Limit': { description: 'Requests per minute', required: true, schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in this minute', required: true, schema: integer },
  'X-RateLimit-Reset': {
    description: 'When the minute ends: Unix time in seconds',
    required: true,
    schema: integer,
  },
  'Retry-After': { description: 'Seconds to wait', required: true, schema: integer },
  'Retry-After-Address': {
    description: 'Seconds to wait, if too many requests from this address had no valid key',
    required: false,
    schema: integer,
  },
  ETag: { description: 'Version of the resource, for If-Match', required: true, schema: text },
  'Idempotent-Replayed': {
    description: 'true: this is the stored response for the Idempotency-Key',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  [POSITION_HEADER]: {
    description:
      'Only if the service has read replicas: identifies the write. Send this value with a later read to include the write',
    required: false,
    schema: text,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
}

const EVERY = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** @param names names of components; a header can have several components, which a suffix distinguishes */
const headers = (names: readonly string[]): Record<string, Ref> =>
  Object.fromEntries(
    [...EVERY, ...names].map((name) => [name.replace('-Address', ''), refTo('headers', name)]),
  )

const MEANING: Readonly<Record<number, string>> = {
  400: 'The request is not valid: `details.errors` lists all problems',
  401: 'No valid API key',
  403: 'The API key lacks the scope, or the operation is not allowed',
  404: 'Not found in this organization',
  409: 'Conflict with the current state',
  412: 'The resource has changed since it was read',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'The request would take longer than the service allows',
  429: 'Over the rate limit',
  500: 'Internal error',
  503: 'The service is temporarily unavailable',
}

const ERROR_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate', 'Retry-After-Address'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const exampleOf = (code: ApiErrorCode) => ({
  summary: code,
  value: { error: code, ...ERROR_EXAMPLES[code], requestId: 'f3b4a4f0-5ab8-4c53-a4e1-1d5b8e8b0a5e' },
})

function errorResponse(status: number, codes: readonly ApiErrorCode[], extra: readonly string[]): Response {
  return {
    description: MEANING[status] ?? 'Error',
    headers: headers([...(ERROR_HEADERS[status] ?? []), ...extra]),
    content: {
      [JSON_MEDIA]: {
        schema: {
          allOf: [refTo('schemas', 'Error')],
          type: 'object',
          required: ['error'],
          properties: { error: { type: 'string', enum: [...codes] } },
        },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  }
}

const USUAL: readonly ApiErrorCode[] = [
  'invalid_parameter',
  'unauthorized',
  'expired',
  'insufficient_scope',
  'rate_limit_exceeded',
  'internal_error',
  'unavailable',
]
const OF_MUTATIONS: readonly ApiErrorCode[] = [
  'validation_error',
  'idempotency_conflict',
  'idempotency_in_progress',
  'payload_too_large',
  'unsupported_media_type',
]

interface ErrorSources {
  /** Errors that the route declares. */
  own: readonly ApiErrorCode[]
  mutating: boolean
  /** Whether the path names a resource that may not exist. */
  named: boolean
  filters: boolean
}

const inOrder = Object.keys(API_ERROR_STATUS) as ApiErrorCode[]

function errorCodesOf({ own, mutating, named, filters }: ErrorSources): ApiErrorCode[] {
  const codes = new Set<ApiErrorCode>([...USUAL, ...own])
  if (mutating) for (const code of OF_MUTATIONS) codes.add(code)
  if (named) codes.add('not_found')
  if (filters) codes.add('invalid_filter')
  return inOrder.filter((code) => codes.has(code))
}

const pascal = (code: string) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

// Errors with other statuses are never stored for a repeat: most of them are refusals before the handler.
const REPLAYED = new Set([400, 403, 404, 409, 412])

/** Error responses by status, as references to `shared`, which becomes components/responses. */
export function errorResponses(sources: ErrorSources, shared: Record<string, Response>): Record<string, Ref> {
  const byStatus = Map.groupBy(errorCodesOf(sources), (code) => API_ERROR_STATUS[code])
  const entries = [...byStatus].map(([status, codes]) => {
    const replayed = sources.mutating && REPLAYED.has(status)
    const name = `${codes.map(pascal).join('Or')}${replayed ? 'Replayable' : ''}`
    shared[name] ??= errorResponse(status, codes, replayed ? ['Idempotent-Replayed'] : [])
    return [status, refTo('responses', name)] as const
  })
  return Object.fromEntries(entries)
}

/** The 304 response for an unchanged resource, as a reference to `shared`. */
export function notModified(shared: Record<string, Response>): Ref {
  shared['NotModified'] ??= {
    description: 'Not modified: you have the current version (If-None-Match)',
    headers: headers(['ETag']),
  }
  return refTo('responses', 'NotModified')
}

export const jsonMedia = (schema: Schema, example: unknown): Record<string, Media> => ({
  [JSON_MEDIA]: { schema, example },
})

/** Content of bodies that are not JSON, and of responses in lines of JSON. */
export const textMedia = (
  types: readonly string[],
  schema: Schema,
  example: unknown,
): Record<string, Media> => Object.fromEntries(types.map((type) => [type, { schema, example }]))

interface Success {
  status: string
  schema: Schema
  example: unknown
  mutating: boolean
  tagged: boolean
  /** Media types of a response in lines of JSON. */
  types: readonly string[] | undefined
  /** For a route that writes: the scope that may see its whole response. */
  readScope: Scope | undefined
}

const DONE: Readonly<Record<string, string>> = { 201: 'Created', 202: 'Accepted' }

/** Described in text: as an alternative schema it would make every field optional in generated clients. */
const writtenOnly = (scope: string) =>
  `. Without the scope \`${scope}\`: only ids, version, times and counts, and the sent fields as they were sent`

export function successResponse(success: Success): Response {
  const { status, schema, example, mutating, tagged, readScope, types } = success
  const extra = [...(tagged ? ['ETag'] : []), ...(mutating ? ['Idempotent-Replayed', POSITION_HEADER] : [])]
  return {
    description: `${DONE[status] ?? 'Success'}${readScope === undefined ? '' : writtenOnly(readScope)}`,
    headers: headers(extra),
    content: types === undefined ? jsonMedia(schema, example) : textMedia(types, { type: 'string' }, example),
  }
}
