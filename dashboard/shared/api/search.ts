// Search over all objects.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'

const FOUND = 20

export const everythingQuery = (org: string, text: string) =>
  queryOptions({
    queryKey: [org, 'search', text],
    queryFn: ({ signal }) => request('GET /search', { org, query: { q: text, limit: FOUND }, signal }),
  })
