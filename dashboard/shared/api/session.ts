// The signed-in user.
import { queryOptions } from '@tanstack/react-query'
import type { Session, SessionOrganization } from '../../../contract/session.ts'
import { request } from './client.ts'
import { sessionEnded, watchRenewals, whenSignedIn } from './session-guard.ts'

/** The session of the visitor. null if no user is signed in. */
export async function readVisitor(): Promise<Session | null> {
  const wasRenewed = watchRenewals()
  const { session } = await request('GET /visitor', { needsNoSession: true })
  return session === null && (await wasRenewed()) ? readVisitor() : session
}

/** Like readVisitor, but waits while the user is asked to sign in again. */
async function readSession(): Promise<Session | null> {
  const session = await readVisitor()
  if (session || !sessionEnded()) return session
  await whenSignedIn()
  return readSession()
}

export const sessionQuery = () =>
  queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 })

const LAST = 'rapport-organization'

export function rememberOrganization(slug: string): void {
  try {
    localStorage.setItem(LAST, slug)
  } catch {
    // Storage is off: the next visit opens the first organization.
  }
}

/** The organization to open if the address has none. */
export function preferredOrganization({ organizations }: Session): SessionOrganization | undefined {
  let last: string | null = null
  try {
    last = localStorage.getItem(LAST)
  } catch {
    // Storage is off: the first organization is used.
  }
  return organizations.find(({ slug }) => slug === last) ?? organizations[0]
}
