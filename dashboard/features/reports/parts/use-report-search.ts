import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReportSearch, ReportsSearch } from '../report-search.ts'

type Search = ReportsSearch & ReportSearch
/** undefined takes a part out. */
type Part = { [Key in keyof Search]?: Search[Key] | undefined }

/** What the address keeps; a change leaves the rest as it is. */
export function useReportSearch(): [Search, (part: Part, options?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const change = (part: Part, { replace = false } = {}) =>
    void navigate({
      to: '.',
      // Each page has its own of these, which the router cannot know of a page it does not name.
      search: ((before: Search) => ({ ...before, ...part })) as never,
      replace,
      resetScroll: false,
    })
  return [search, change]
}
