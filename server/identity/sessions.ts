// Sessions as better-auth keeps them, and the memberships behind them.
import type { Context } from '../context.ts'
import type { Membership, Sessions, SignedIn } from '../http/session.ts'
import { mayHoldSession } from '../http/session-cookie.ts'
import { isStorable } from '../http/storable.ts'
import { findMembership } from './store.ts'

export function createSessions(ctx: Pick<Context, 'auth' | 'admission'>): Sessions {
  return {
    async find(headers) {
      // better-auth is large: who sends no session does not make it load.
      if (!mayHoldSession(headers)) return { signedIn: undefined, cookies: [] }
      const { api } = await ctx.auth()
      const { headers: sent, response } = await api.getSession({
        headers: new Headers({ cookie: headers.cookie ?? '' }),
        returnHeaders: true,
      })
      return { signedIn: response ? toSignedIn(response) : undefined, cookies: sent.getSetCookie() }
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
