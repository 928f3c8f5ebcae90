// Requests to the service: JSON in, JSON out, and an ApiError for every refusal. The address determines the types of a
// request and its response.
import { noteRefusal } from './access-doubt.ts'
import { ApiError, unanswered } from './errors.ts'
import { parseJson } from './json.ts'
import type {
  Address,
  Answer,
  InputOf,
  Last,
  PortalAddress,
  PortalAnswer,
  PortalInputOf,
  RequestTargetOf,
} from './route-types.ts'
import { renewing, sessionEnded, watchRenewals, whenSignedIn } from './session-guard.ts'

/** How a request of any route is sent. */
export interface SendOptions {
  /** The ETag of the version that the change is based on. */
  ifMatch?: string | undefined
  /** The id under which the changes of several requests can be undone together. */
  changeSetId?: string | undefined
  signal?: AbortSignal | undefined
  /** Needs no session: the request is sent while others wait for the sign-in. */
  needsNoSession?: boolean
  /** The response sets the cookie of a new session and ends the current one. */
  renewsSession?: boolean
  /** Authenticates the request instead of the cookie, which is not sent then. */
  bearer?: string
}

interface RequestTarget {
  org?: string
  params?: Readonly<Record<string, string>>
  query?: object
}

interface Options extends RequestTarget, SendOptions {
  body?: unknown
}

const BASE = '/dashboard/api'
const PORTAL_BASE = '/portal/api'

function queryText(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

function locate(
  address: string,
  { org, params = {}, query = {} }: RequestTarget,
): { method: string; path: string } {
  const [method = '', template = ''] = address.split(' ')
  const own = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const organization = org === undefined ? '' : `/organizations/${encodeURIComponent(org)}`
  return { method, path: `${organization}${own}${queryText(query)}` }
}

/** The URL of requests that the browser sends itself, such as downloads. */
export const urlOf = <A extends Address>(address: A, target: RequestTargetOf<A>): string =>
  `${BASE}${locate(address, target).path}`

function initOf(method: string, { body, ifMatch, changeSetId, signal, bearer }: Options): RequestInit {
  return {
    method,
    credentials: bearer === undefined ? 'same-origin' : 'omit',
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(changeSetId !== undefined && { 'rapport-change-set': changeSetId }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text())
  } catch {
    // The body is not JSON, for example the error page of a proxy. The status is enough for the error.
    return {}
  }
}

/** Whether the request was refused because there is no session. A wrong password has another code. */
const lacksSession = (error: ApiError, { bearer }: Options) =>
  bearer === undefined && error.code === 'unauthorized'

async function sendTo(base: string, address: string, options: Options): Promise<Response> {
  if (options.bearer === undefined && !options.needsNoSession) await whenSignedIn()
  const { method, path } = locate(address, options)
  const wasRenewed = watchRenewals()
  const fetchOnce = () => fetch(`${base}${path}`, initOf(method, options))
  let response: Response
  try {
    response = await (options.renewsSession ? renewing(fetchOnce) : fetchOnce())
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw unanswered()
  }
  if (response.ok) return response
  const refusal = new ApiError(response.status, (await bodyOf(response)) as Record<string, unknown>)
  if (options.org !== undefined) noteRefusal(refusal)
  if (!lacksSession(refusal, options)) throw refusal
  // If the user can sign in again on the page, the next attempt waits for the sign-in.
  if ((await wasRenewed()) || sessionEnded()) return sendTo(base, address, options)
  throw refusal
}

/** The response itself, for downloads and headers. @throws ApiError */
export const send = <A extends Address>(
  address: A,
  ...[input]: Last<InputOf<A> & SendOptions>
): Promise<Response> => sendTo(BASE, address, input ?? {})

/** Sends a request to the API of the webhook portal. @throws ApiError */
export const requestPortal = async <A extends PortalAddress>(
  address: A,
  input: PortalInputOf<A> & SendOptions,
): Promise<PortalAnswer<A>> => (await bodyOf(await sendTo(PORTAL_BASE, address, input))) as PortalAnswer<A>

/** `etag` is the version that a later change is based on. */
export interface WithEtag<Body> {
  body: Body
  etag: string | undefined
}

export async function requestWithEtag<A extends Address>(
  address: A,
  ...last: Last<InputOf<A> & SendOptions>
): Promise<WithEtag<Answer<A>>> {
  const response = await send(address, ...last)
  return { body: (await bodyOf(response)) as Answer<A>, etag: response.headers.get('etag') ?? undefined }
}

/** @throws ApiError */
export const request = async <A extends Address>(
  address: A,
  ...last: Last<InputOf<A> & SendOptions>
): Promise<Answer<A>> => (await requestWithEtag(address, ...last)).body
