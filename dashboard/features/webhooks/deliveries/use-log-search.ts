// The search parameters of the log.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { LogSearch } from '../endpoint-search.ts'

interface LogAddress {
  search: LogSearch
  /** undefined removes a part. */
  filter(part: LogSearch): void
  /** undefined closes the open delivery. */
  open(delivery: string | undefined): void
}

export function useLogSearch(): LogAddress {
  const search = useSearch({ strict: false }) as LogSearch
  const navigate = useNavigate()
  return useMemo(() => {
    const change = (part: LogSearch, replace: boolean) =>
      void navigate({
        to: '.',
        // Both pages of endpoints have these parameters. The router cannot infer that without a route name.
        search: ((before: LogSearch) => ({ ...before, ...part })) as never,
        replace,
        resetScroll: false,
      })
    return {
      search,
      filter: (part) => change(part, true),
      // Going to another delivery replaces the history entry, so that Back returns to the log.
      open: (delivery) => change({ delivery }, search.delivery !== undefined),
    }
  }, [search, navigate])
}
