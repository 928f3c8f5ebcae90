// After sign-in: removes the data of the previous user, then opens a page.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery } from '../../../shared/api/session.ts'
import { forgetDraftsOfOthers } from '../../../shared/drafts/draft-store.ts'

/** Only addresses of this dashboard: a link must not lead to another site after sign-in. */
const isOwnPath = (path: string | undefined): path is string => /^\/(?![/\\])/.test(path ?? '')

/** @returns a function that opens the page `to`, by default the home page */
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
