// Search over all objects.
import { requestQuery } from './queries.ts'

const FOUND = 20

export const everythingQuery = (org: string, text: string) =>
  requestQuery([org, 'search', text], 'GET /search', { org, query: { q: text, limit: FOUND } })
