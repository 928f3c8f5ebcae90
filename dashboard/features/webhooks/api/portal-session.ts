// The session for which a portal link is exchanged. It ends with the tab, and can only manage webhooks.
import type { PortalSession } from '../../../../contract/webhooks.ts'
import { requestPortal, type SendOptions } from '../../../shared/api/client.ts'
import { ApiError } from '../../../shared/api/errors.ts'
import type {
  Address,
  Last,
  PortalAddress,
  PortalAnswer,
  PortalInputOf,
} from '../../../shared/api/route-types.ts'
import { linkToken } from './portal-link.ts'

/** Addresses of routes that both the dashboard and the portal have. */
export type SpaceAddress = Extract<PortalAddress, Address>

/** @throws ApiError */
export type SpaceRequest = <A extends SpaceAddress>(
  address: A,
  ...last: Last<PortalInputOf<A> & Pick<SendOptions, 'signal'>>
) => Promise<PortalAnswer<A>>

const KEY = 'rapport-portal-session'

/** Access is open, or refused: without a link, with a refused link, or after the end of the session. */
export type PortalState = 'open' | 'no-link' | 'link-refused' | 'ended'

function stored(): PortalSession | undefined {
  try {
    const text = sessionStorage.getItem(KEY)
    return text === null ? undefined : (JSON.parse(text) as PortalSession)
  } catch {
    // Storage is disabled or its content is invalid: there is no stored session.
    return undefined
  }
}

function store(session: PortalSession): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session))
  } catch {
    // Storage is disabled: the session lasts until the page is reloaded.
  }
}

let token = linkToken
let session: PortalSession | undefined
let state: PortalState = 'no-link'
const listeners = new Set<() => void>()

function become(next: PortalState, opened?: PortalSession): void {
  state = next
  session = opened
  // An ended session stays stored, so that a reloaded page can show that the session has ended.
  if (opened) store(opened)
  for (const listener of listeners) listener()
}

/** For useSyncExternalStore. */
export function onPortalState(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const portalState = (): PortalState => state

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401

async function exchange(link: string): Promise<void> {
  try {
    const opened = await requestPortal('POST /session', { body: { token: link } })
    token = undefined
    become('open', opened)
  } catch (error) {
    // After temporary errors the token is kept, so that the request can be repeated.
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 429) throw error
    token = undefined
    become('link-refused')
  }
}

async function enter(): Promise<PortalState> {
  const kept = token === undefined && state === 'no-link' ? stored() : undefined
  if (kept) become('open', kept)
  if (token !== undefined) await exchange(token)
  return state
}

let entering: Promise<PortalState> | undefined

/**
 * Exchanges the link once, also for concurrent calls, or continues the session of the tab.
 * @throws ApiError when the service is not available
 */
export function enterPortal(): Promise<PortalState> {
  entering ??= enter().finally(() => {
    entering = undefined
  })
  return entering
}

const ended = () =>
  new ApiError(401, {
    error: 'unauthorized',
    message: 'Your session has ended: ask for a new link. What you typed is still here, to be copied',
  })

/** @throws ApiError; after the end of the session without a request */
export const requestInPortal = (async (address: SpaceAddress, input?: object) => {
  if (!session) throw ended()
  try {
    return await requestPortal(address, { ...input, bearer: session.session } as never)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
    become('ended')
    throw ended()
  }
}) as SpaceRequest
