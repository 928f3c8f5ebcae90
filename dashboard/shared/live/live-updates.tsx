// Applies live updates to every page: changes by others, and changes of the user's permissions.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { lookAtAccess } from '../api/access.ts'
import { onDoubt } from '../api/access-doubt.ts'
import { useOrganization } from '../use-organization.ts'
import { followChanges } from './live-sharing.ts'
import type { LiveNews } from './live-stream.ts'
import { Refresh } from './refresh.ts'

/**
 * Whether the user's permissions or name may have changed. Not needed for `everything`: pages then read their data
 * again, and a refusal shows lost access.
 */
const concernsUser = (news: LiveNews, userId: string): boolean =>
  news !== 'everything' &&
  news.changes.some(
    ({ type, ids }) =>
      type === 'access' || (type === 'member.changed' && (ids === null || ids.includes(userId))),
  )

/** Without a response, the next request or message causes another check. */
const look = (client: QueryClient) => void lookAtAccess(client).catch(() => undefined)

export function LiveUpdates() {
  const { organization, user } = useOrganization()
  const client = useQueryClient()
  const { slug } = organization
  const { id } = user
  useEffect(() => {
    const refresh = new Refresh(client, slug)
    const stop = followChanges(slug, (news) => {
      refresh.add(news)
      if (concernsUser(news, id)) look(client)
    })
    return () => {
      stop()
      refresh.close()
    }
  }, [client, slug, id])
  useEffect(() => onDoubt(() => look(client)), [client])
  return null
}
