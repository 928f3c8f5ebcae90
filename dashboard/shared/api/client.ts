// Requests to the service: JSON in, JSON out, every refusal an ApiError. What a route takes and answers follows from
// its address.
import { noteRefusal } from './access-doubt.ts'
import { ApiError, unanswered } from './errors.ts'
import { parseJson } from './json.ts'
import type {
  Address,
  Answer,
  InputOf,
  Last,
  PlaceOf,
  PortalAddress,
  PortalAnswer,
  PortalInputOf,
} from './route-types.ts'
import { renewing, sessionEnded, watchRenewals, whenSignedIn } from './session-guard.ts'

/** How a request of any route is sent. */
export interface SendOptions {
  /** The ETag the change is made on. */
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
  /** Needs no session: it is sent while others wait for one. */
  isEntrance?: boolean
  /** Its answer carries the cookie of another session, and the one it is sent with ends. */
  renewsSession?: boolean
  /** Says who asks in place of the cookie, which then stays here. */
  bearer?: string
}

interface Place {
  org?: string
  params?: Readonly<Record<string, string>>
  query?: object
}

interface Options extends Place, SendOptions {
  body?: unknown
}

const BASE = '/dashboard/api'
const PORTAL_BASE = '/portal/api'

function queryText(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

function locate(address: string, { org, params = {}, query = {} }: Place): { method: string; path: string } {
  const [method = '', template = ''] = address.split(' ')
  const own = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const organization = org === undefined ? '' : `/organizations/${encodeURIComponent(org)}`
  return { method, path: `${organization}${own}${queryText(query)}` }
}

/** For what the browser fetches by itself, such as downloads. */
export const urlOf = <A extends Address>(address: A, place: PlaceOf<A>): string =>
  `${BASE}${locate(address, place).path}`

function initOf(method: string, { body, ifMatch, signal, bearer }: Options): RequestInit {
  return {
    method,
    credentials: bearer === undefined ? 'same-origin' : 'omit',
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text())
  } catch {
    // A proxy's page, or nothing: the status says what there is to say.
    return {}
  }
}

/** Refused for want of a session. A wrong password has another code. */
const lacksSession = (error: ApiError, { bearer }: Options) =>
  bearer === undefined && error.code === 'unauthorized'

async function sendTo(base: string, address: string, options: Options): Promise<Response> {
  if (options.bearer === undefined && !options.isEntrance) await whenSignedIn()
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
  // Where the user is asked to sign in again, the next attempt waits for that.
  if ((await wasRenewed()) || sessionEnded()) return sendTo(base, address, options)
  throw refusal
}

/** The answer itself, for downloads and headers. @throws ApiError */
export const send = <A extends Address>(
  address: A,
  ...[input]: Last<InputOf<A> & SendOptions>
): Promise<Response> => sendTo(BASE, address, input ?? {})

/** To the API of the management portal. @throws ApiError */
export const requestPortal = async <A extends PortalAddress>(
  address: A,
  input: PortalInputOf<A> & SendOptions,
): Promise<PortalAnswer<A>> => (await bodyOf(await sendTo(PORTAL_BASE, address, input))) as PortalAnswer<A>

/** `etag` is what a later change is made on. */
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
