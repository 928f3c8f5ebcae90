// Search over all objects at once.
import { queryOptions } from '@tanstack/react-query'
import type { SearchHits } from '../../../contract/search.ts'
import { organizationPath, request } from './client.ts'

const FOUND = 20

export const everythingQuery = (org: string, text: string) =>
  queryOptions({
    queryKey: [org, 'search', text],
    queryFn: ({ signal }) =>
      request<SearchHits>(
        'GET',
        `${organizationPath(org)}/search?${new URLSearchParams({ q: text, limit: String(FOUND) })}`,
        { signal },
      ),
  })
