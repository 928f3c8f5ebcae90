// Sends requests to routes of the route table, and checks what all responses have in common.
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { expect } from 'vitest'
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts'
import { type Judge, judgeBy, readDocument } from './api-document.ts'
import { API_PREFIX, type ApiRoute } from './api-routes.ts'
import type { RouteRequest } from './route-cases.ts'
import type { SharedService } from './shared-service.ts'

interface Asked {
  /** Whether the key has no read scope for the data that it writes. */
  isWriter?: boolean
  /** The API key; undefined: none is sent. */
  key?: string | undefined
  headers?: Record<string, string>
  /** Replaces the JSON body. */
  payload?: string
  method?: InjectOptions['method']
}

type Target = Pick<ApiRoute, 'method' | 'path' | 'readScope'> & Partial<Pick<ApiRoute, 'media'>>

/** @returns the response, after a check against the API document */
type Ask = (route: Target, request: RouteRequest, asked?: Asked) => Promise<Response>

/** A missing parameter gets a value that names nothing: an empty one would make the URL that of the list. */
export function urlOf({ path }: Pick<ApiRoute, 'path'>, { params, query }: RouteRequest): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'nothing'))
  const search = query ? `?${new URLSearchParams(query)}` : ''
  return `${API_PREFIX}${filled}${search}`
}

function injectOptions(
  route: Target,
  request: RouteRequest,
  { key, headers, payload, method }: Asked,
): InjectOptions {
  const json = request.body === undefined ? undefined : JSON.stringify(request.body)
  const body = payload ?? request.text?.body ?? json
  return {
    method: method ?? route.method,
    url: urlOf(route, request),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': request.text?.type ?? 'application/json' }),
      ...request.text?.headers,
      ...headers,
    },
    ...(body !== undefined && { payload: body }),
  }
}

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code)

/**
 * @param types content types of a successful response
 * @returns faults that no response may have; empty if there are none
 */
export function faultsOf(response: Response, types: readonly string[] = ['application/json']): string[] {
  const { headers, statusCode } = response
  const missing = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].filter(
    (name) => headers[name] === undefined,
  )
  const faults = missing.map((name) => `no ${name}`)
  const expectedTypes = statusCode < 400 ? types : ['application/json']
  // Only text has a charset.
  const sent = (type: string) => (type === 'application/zip' ? type : `${type}; charset=utf-8`)
  if (!expectedTypes.some((type) => headers['content-type'] === sent(type)))
    faults.push(`it is ${headers['content-type']}`)
  if (statusCode >= 500) faults.push(`status ${statusCode}`)
  if (statusCode < 400) return faults
  return [...faults, ...errorFaults(response)]
}

function errorFaults({ payload, statusCode, headers }: Response): string[] {
  const body = JSON.parse(payload) as Record<string, unknown>
  const { error, message, details, requestId, ...rest } = body
  const faults = Object.keys(rest).map((name) => `the error has ${name}`)
  if (!isCode(error)) faults.push(`unknown error ${error}`)
  else if (ERROR_STATUS[error] !== statusCode) faults.push(`${error} with status ${statusCode}`)
  if (typeof message !== 'string' || message === '') faults.push('no message')
  if (details !== undefined && (typeof details !== 'object' || details === null)) faults.push('odd details')
  // A repeat gets the response of the first request, including its id.
  const isOwnId = requestId === headers['x-request-id'] || headers['idempotent-replayed'] !== undefined
  if (!isOwnId) faults.push(`requestId ${requestId}`)
  return faults
}

export async function createAsk(service: SharedService): Promise<{ ask: Ask; judge: Judge }> {
  const judge = judgeBy(await readDocument(service))
  const ask: Ask = async (route, request, asked = {}) => {
    const response = await service.inject(injectOptions(route, request, asked))
    const isUndocumented = asked.method !== undefined
    expect(
      [
        ...faultsOf(response, route.media?.response),
        ...(isUndocumented ? [] : judge(route, response, asked.isWriter)),
      ],
      response.payload,
    ).toEqual([])
    return response
  }
  return { ask, judge }
}

/** Status and code as one text, so that a failed comparison shows both. */
export function outcomeOf(response: Response): string {
  if (response.statusCode < 400) return String(response.statusCode)
  return `${response.statusCode} ${(JSON.parse(response.payload) as { error: string }).error}`
}

export const expected = (code: ErrorCode): string => `${ERROR_STATUS[code]} ${code}`
