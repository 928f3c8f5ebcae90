// Requests to the service: JSON in, JSON out, every refusal an ApiError.
import { ApiError, unanswered } from './errors.ts'
import { parseJson } from './json.ts'
import { sessionEnded, whenSignedIn } from './session-guard.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Options {
  /** Sent as JSON, a Blob as it is. */
  body?: unknown
  /** The ETag the change is made on. */
  ifMatch?: string | undefined
  /** What a Blob is. */
  contentType?: string
  signal?: AbortSignal | undefined
  /** Needs no session: it is sent while others wait for one. */
  isEntrance?: boolean
  /** Says who asks in place of the cookie, which then stays here. */
  bearer?: string
}

const BASE = '/dashboard/api'

/** For what the browser fetches by itself, such as downloads. */
export const urlOf = (path: string): string => `${BASE}${path}`

export const organizationPath = (org: string) => `/organizations/${encodeURIComponent(org)}`

function initOf(
  method: Method,
  { body, ifMatch, contentType = 'application/json', signal, bearer }: Options,
): RequestInit {
  return {
    method,
    credentials: bearer === undefined ? 'same-origin' : 'omit',
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': contentType }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  try {
    return parseJson(await response.text()) as Record<string, unknown>
  } catch {
    // A proxy's page, or nothing: the status says what there is to say.
    return {}
  }
}

/** Refused for want of a session, where the user is asked to sign in again. A wrong password has another code. */
const waitsForSession = (error: ApiError, { bearer }: Options) =>
  bearer === undefined && error.code === 'unauthorized' && sessionEnded()

async function sendTo(url: string, method: Method, options: Options): Promise<Response> {
  if (options.bearer === undefined && !options.isEntrance) await whenSignedIn()
  let response: Response
  try {
    response = await fetch(url, initOf(method, options))
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw unanswered()
  }
  if (response.ok) return response
  const refusal = new ApiError(response.status, await bodyOf(response))
  if (!waitsForSession(refusal, options)) throw refusal
  return sendTo(url, method, options)
}

/** The answer itself, for downloads and headers. @throws ApiError */
export const send = (method: Method, path: string, options: Options = {}): Promise<Response> =>
  sendTo(urlOf(path), method, options)

/** Beside the dashboard's own API. @param url from the root on @throws ApiError */
export const requestAt = async <Body>(method: Method, url: string, options: Options = {}): Promise<Body> =>
  (await bodyOf(await sendTo(url, method, options))) as Body

/** `etag` is what a later change is made on. */
export interface WithEtag<Body> {
  body: Body
  etag: string | undefined
}

export async function requestWithEtag<Body>(
  method: Method,
  path: string,
  options: Options = {},
): Promise<WithEtag<Body>> {
  const response = await send(method, path, options)
  return { body: (await bodyOf(response)) as Body, etag: response.headers.get('etag') ?? undefined }
}

/** @throws ApiError */
export const request = async <Body>(method: Method, path: string, options: Options = {}): Promise<Body> =>
  (await requestWithEtag<Body>(method, path, options)).body
