// Sessions as better-auth stores them, and the memberships of their users.

import { unavailable } from '../base/errors.ts'
import { createKeyedSemaphore, NoPlaceError, type Release } from '../base/keyed-semaphore.ts'
import { isConnectionLost, takesNoChanges } from '../db/unavailable.ts'
import { networkOf } from '../http/client-network.ts'
import type { Membership, Sessions, SignedIn } from '../http/session.ts'
import { mayHoldSession } from '../http/session-cookie.ts'
import { isStorable } from '../http/storable.ts'
import type { IdentityContext } from './context.ts'
import { findMembership } from './store.ts'

/** better-auth has four connections: more concurrent lookups would only wait for them, in one queue for all clients. */
const LOOKUPS = { places: 4, perKey: 2 }
const PATIENCE = { waitMs: 10_000, waitingMax: 1000 }

/** Each client has its own queue, so that a client with thousands of requests delays only its own. */
function createTurns(): (ip: string) => Promise<Release> {
  const lookups = createKeyedSemaphore<string>(LOOKUPS)
  return async (ip) =>
    lookups.acquire(networkOf(ip), PATIENCE).catch((error: unknown) => {
      throw error instanceof NoPlaceError
        ? unavailable('Too many requests of signed-in users wait for their session: try again shortly')
        : error
    })
}

/** How long sessions are not prolonged after the database has refused a change. */
const NO_CHANGES_MS = 5000

/** A read that does not prolong the session writes only to delete an expired one. If this is refused, there is none. */
function orNone(error: unknown) {
  if (takesNoChanges(error)) return { headers: new Headers(), response: null }
  throw error
}

/**
 * Reads sessions. Reading prolongs a session, except while the database refuses changes. A read whose connection broke
 * is tried once more, because the server may have been replaced. A read that timed out is not: it would wait as long.
 */
function createReader({ auth, diskSpace }: Pick<IdentityContext, 'auth' | 'diskSpace'>) {
  let prolongsFrom = 0
  return async (cookie: string | undefined) => {
    const { readSession } = await auth()
    const headers = new Headers({ cookie: cookie ?? '' })
    const isProlonged = diskSpace.shortage === undefined && performance.now() >= prolongsFrom
    return readSession(headers, isProlonged).catch((error: unknown) => {
      if (takesNoChanges(error)) prolongsFrom = performance.now() + NO_CHANGES_MS
      else if (!isConnectionLost(error)) throw error
      return readSession(headers, false).catch(orNone)
    })
  }
}

export function createSessions(ctx: Pick<IdentityContext, 'auth' | 'admission' | 'diskSpace'>): Sessions {
  const turn = createTurns()
  const getSession = createReader(ctx)
  return {
    async find({ headers, ip }) {
      // better-auth is large: a request without a session must not load it.
      if (!mayHoldSession(headers)) return { signedIn: undefined, cookies: [] }
      const release = await turn(ip)
      const { headers: sent, response } = await getSession(headers.cookie).finally(release)
      // better-auth deletes the cookie of an ended session. This answer does not pass the deletion on. Another response
      // may have set a new cookie, as after a change of the password, and a late deletion would delete that cookie.
      if (!response) return { signedIn: undefined, cookies: [] }
      return { signedIn: toSignedIn(response), cookies: sent.getSetCookie() }
    },
    enter: async (userId: string, organization: string): Promise<Membership | undefined> =>
      isStorable(organization) ? findMembership(ctx.admission, userId, organization) : undefined,
  }
}

interface Found {
  session: { id: string }
  user: {
    id: string
    name: string
    email: string
    emailVerified: boolean
    image?: string | null | undefined
  }
}

const toSignedIn = ({ session, user: { id, name, email, emailVerified, image } }: Found): SignedIn => ({
  sessionId: session.id,
  user: { id, name, email, emailVerified, image: image ?? null },
})
