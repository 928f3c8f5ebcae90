// Sessions as better-auth keeps them, and the memberships behind them.

import { unavailable } from '../base/errors.ts'
import { createKeyedSemaphore, NoPlaceError, type Release } from '../base/keyed-semaphore.ts'
import { isConnectionLost, takesNoChanges } from '../db/unavailable.ts'
import { networkOf } from '../http/client-network.ts'
import type { Membership, Sessions, SignedIn } from '../http/session.ts'
import { mayHoldSession } from '../http/session-cookie.ts'
import { isStorable } from '../http/storable.ts'
import type { IdentityContext } from './context.ts'
import { findMembership } from './store.ts'

/** better-auth has four connections: more lookups at a time would only wait for them, in one line for all clients. */
const LOOKUPS = { places: 4, perKey: 2 }
const PATIENCE = { waitMs: 10_000, waitingMax: 1000 }

/** Clients take turns, so that one with thousands of requests delays its own. */
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

/** Reading deletes only expired sessions: where the database refuses that, there is no session. */
function orNone(error: unknown) {
  if (takesNoChanges(error)) return { headers: new Headers(), response: null }
  throw error
}

/**
 * Reads sessions. One that is used is prolonged, except while the database refuses changes; a read whose connection broke
 * is tried once more, since the server may have been replaced. After a timeout the second try would wait as long.
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
      // better-auth is large: who sends no session does not make it load.
      if (!mayHoldSession(headers)) return { signedIn: undefined, cookies: [] }
      const release = await turn(ip)
      const { headers: sent, response } = await getSession(headers.cookie).finally(release)
      // For a session that has ended better-auth deletes the cookie. Another response may have replaced it meanwhile, such
      // as that to a new password: this one, if it arrives later, would delete the new cookie.
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
