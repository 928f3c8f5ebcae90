// What is shown while requests wait because there were too many.
import type { QueryClient } from '@tanstack/react-query'
import { hasCode } from '../shared/api/errors.ts'
import { toastOnce } from '../shared/toast.ts'

/** Queries are sent again by themselves once the service takes them (shared/api/query-client.ts). */
export const announceWaiting = (client: QueryClient): (() => void) =>
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'failed') return
    const { error } = event.action
    if (!hasCode(error, 'rate_limit_exceeded')) return
    toastOnce('rate-limit', `Too many requests. Trying again in ${error.retryAfterSeconds ?? 1} s.`)
  })
