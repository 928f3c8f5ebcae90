// Whether the user may still do here what the page offers. It is asked again as soon as something says otherwise: the
// stream of live updates, or a request that was refused.
import type { QueryClient } from '@tanstack/react-query'
import { forgetDraftsOfOthers } from '../drafts/draft-store.ts'
import { readVisitor, sessionQuery } from './session.ts'
import { sessionEnded } from './session-guard.ts'

/**
 * Pages follow what it finds: another role, a membership that has ended (app/frame/app-frame.tsx), or a session that
 * has (app/frame/session-ended.tsx). Another user sees nothing of what was shown before.
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
