// The query cache of all pages.
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError, isTransient } from './errors.ts'

const RETRIES = 2

/** The delay that the service requests, otherwise one second, then two. */
const delayBefore = (failures: number, error: unknown) =>
  1000 * ((error instanceof ApiError && error.retryAfterSeconds) || 2 ** failures)

// Notifies in a microtask: after a timer, React would reset a clicked checkbox before the page receives the change.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < RETRIES && isTransient(error),
      retryDelay: delayBefore,
      // Offline queries fail with an error. By default they would stay pending.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
