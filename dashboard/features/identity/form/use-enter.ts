// What happens when a person has signed in: nothing of who was there before stays.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery } from '../../../shared/api/session.ts'
import { forgetDraftsOfOthers } from '../../../shared/drafts/draft-store.ts'

/** Only addresses of this dashboard: a link must not lead elsewhere after signing in. */
const isOwnPath = (path: string | undefined): path is string => /^\/(?![/\\])/.test(path ?? '')

/** @returns a function that goes where `to` says, or home */
export function useEnter(): (to?: string) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (to) => {
    client.clear()
    const session = await client.fetchQuery(sessionQuery())
    if (session) forgetDraftsOfOthers(session.user.id)
    await navigate({ href: isOwnPath(to) ? to : '/', replace: true })
  }
}
