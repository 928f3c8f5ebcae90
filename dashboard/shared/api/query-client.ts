// One cache for all pages.
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError, isTransient } from './errors.ts'

const RETRIES = 2

/** As long as the service says, else a second and then two. */
const delayBefore = (failures: number, error: unknown) =>
  1000 * ((error instanceof ApiError && error.retryAfterSeconds) || 2 ** failures)

// A click shows immediately: with a timer in between, React resets a checkbox before the page receives the change.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < RETRIES && isTransient(error),
      retryDelay: delayBefore,
      // Offline is an error that is shown, not a query that never ends.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
