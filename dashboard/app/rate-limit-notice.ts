// The notice while requests wait after too many requests.
import type { QueryClient } from '@tanstack/react-query'
import { hasCode } from '../shared/api/errors.ts'
import { toastOnce } from '../shared/toast.ts'

/** The query client repeats the queries when the service accepts requests again (shared/api/query-client.ts). */
export const announceWaiting = (client: QueryClient): (() => void) =>
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'failed') return
    const { error } = event.action
    if (!hasCode(error, 'rate_limit_exceeded')) return
    toastOnce('rate-limit', `Too many requests. Trying again in ${error.retryAfterSeconds ?? 1} s.`)
  })
