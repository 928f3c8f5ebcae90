// The log's part of the address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { LogSearch } from '../endpoint-search.ts'

interface LogAddress {
  search: LogSearch
  /** undefined takes a part off. */
  filter(part: LogSearch): void
  /** undefined closes the one that is open. */
  open(delivery: string | undefined): void
}

export function useLogSearch(): LogAddress {
  const search = useSearch({ strict: false }) as LogSearch
  const navigate = useNavigate()
  return useMemo(() => {
    const change = (part: LogSearch, replace: boolean) =>
      void navigate({
        to: '.',
        // Both pages of endpoints have these parts, which the router cannot know of a page it does not name.
        search: ((before: LogSearch) => ({ ...before, ...part })) as never,
        replace,
        resetScroll: false,
      })
    return {
      search,
      filter: (part) => change(part, true),
      // From one to the next, Back leads to the log and not through all of them.
      open: (delivery) => change({ delivery }, search.delivery !== undefined),
    }
  }, [search, navigate])
}
