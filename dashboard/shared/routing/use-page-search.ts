import { useNavigate, useSearch } from '@tanstack/react-router'

/** undefined removes a parameter. */
type Part<Search> = { [Key in keyof Search]?: Search[Key] | undefined }

/** The search parameters of the page. A change keeps the other parameters. */
export function usePageSearch<Search extends object>() {
  const search = useSearch({ strict: false } as never) as Search
  const navigate = useNavigate()
  const change = (part: Part<Search>, { replace = false } = {}) =>
    void navigate({
      to: '.',
      // Each page has its own search parameters. Their types need the page's name, so the type is cast.
      search: ((before: Search) => ({ ...before, ...part })) as never,
      replace,
      resetScroll: false,
    })
  return [search, change] as const
}
