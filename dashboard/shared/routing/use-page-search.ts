import { useNavigate, useSearch } from '@tanstack/react-router'

/** undefined takes a part out. */
type Part<Search> = { [Key in keyof Search]?: Search[Key] | undefined }

/** What the address keeps of a page; a change leaves the rest as it is. */
export function usePageSearch<Search extends object>() {
  const search = useSearch({ strict: false } as never) as Search
  const navigate = useNavigate()
  const change = (part: Part<Search>, { replace = false } = {}) =>
    void navigate({
      to: '.',
      // Each page has its own of these, which the router cannot know of a page it does not name.
      search: ((before: Search) => ({ ...before, ...part })) as never,
      replace,
      resetScroll: false,
    })
  return [search, change] as const
}
