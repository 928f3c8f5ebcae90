// What others change is seen on every page without a reload, what one may no longer do too.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { lookAtAccess } from '../api/access.ts'
import { onDoubt } from '../api/access-doubt.ts'
import { useOrganization } from '../use-organization.ts'
import { followChanges } from './live-sharing.ts'
import type { LiveNews } from './live-stream.ts'
import { Refresh } from './refresh.ts'

/**
 * Whether what the user may do here, or the user's own name, may have changed. Where everything may have, pages read
 * again anyway, and a refusal says it.
 */
const concernsUser = (news: LiveNews, userId: string): boolean =>
  news !== 'everything' &&
  news.changes.some(
    ({ type, ids }) =>
      type === 'access' || (type === 'member.changed' && (ids === null || ids.includes(userId))),
  )

/** Without an answer, the next request or message asks again. */
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
