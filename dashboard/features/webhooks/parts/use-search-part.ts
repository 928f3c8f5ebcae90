import { useNavigate, useSearch } from '@tanstack/react-router'
import type { EndpointSearch } from '../endpoint-search.ts'

interface WebhookSearch extends EndpointSearch {
  create?: 1
}

/** What the address keeps; a change leaves the rest as it is, and `undefined` takes a part out. */
export function useSearchPart(): [WebhookSearch, (part: WebhookSearch) => void] {
  const search = useSearch({ strict: false }) as WebhookSearch
  const navigate = useNavigate()
  const change = (part: WebhookSearch) =>
    void navigate({
      to: '.',
      // Every page of webhooks has these, which the router cannot know of a page it does not name.
      search: ((before: WebhookSearch) => ({ ...before, ...part })) as never,
      resetScroll: false,
    })
  return [search, change]
}
