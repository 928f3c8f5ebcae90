// Checks whether the user still has the access that the page assumes. Live updates and refused requests cause a check.
import type { QueryClient } from '@tanstack/react-query'
import { forgetDraftsOfOthers } from '../drafts/draft-store.ts'
import { readVisitor, sessionQuery } from './session.ts'
import { sessionEnded } from './session-guard.ts'

/**
 * Pages react to the result: a new role, an ended membership or an ended session (app/frame/app-frame.tsx). If another
 * user has signed in, the page is reloaded and drafts of other users are deleted.
 */
export async function lookAtAccess(client: QueryClient): Promise<void> {
  const { queryKey } = sessionQuery()
  const session = await readVisitor()
  if (!session) return void sessionEnded()
  if (client.getQueryData(queryKey)?.user.id !== session.user.id) {
    forgetDraftsOfOthers(session.user.id)
    return location.reload()
  }
  client.setQueryData(queryKey, session)
}
