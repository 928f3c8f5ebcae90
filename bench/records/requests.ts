// Questions as requests to the service and to the limit.
import type { ClientRequest } from './client.ts'
import { PAGE_SIZE, type Question } from './questions.ts'

export interface Address {
  key: string
  /** Slug of the object. */
  slug: string
}

export const headersOf = ({ key }: Address) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
})

export const recordsPath = ({ slug }: Pick<Address, 'slug'>): string => `/api/v1/objects/${slug}/records`

export const recordRequest = (address: Address, id: string): ClientRequest => ({
  method: 'GET',
  path: `${recordsPath(address)}/${id}`,
  headers: headersOf(address),
})

export interface PageOptions {
  count: boolean
  cursor?: string | undefined
  /** Records of the page. */
  limit?: number
}

function searchRequest(
  address: Address,
  { filters, isAny, sort, offset }: Omit<Question, 'name' | 'where'>,
  { count, cursor, limit = PAGE_SIZE }: PageOptions,
): ClientRequest {
  const asked = filters.map(([attributeSlug, operator, value]) => ({ attributeSlug, operator, value }))
  const body = {
    ...(isAny ? { filter: { or: asked } } : { filters: asked }),
    sort: { field: sort ?? 'created_at', order: sort ? 'asc' : 'desc' },
    limit,
    ...(offset !== undefined && { offset }),
    ...(cursor !== undefined && { cursor }),
    count,
  }
  return {
    method: 'POST',
    path: `${recordsPath(address)}/search`,
    headers: headersOf(address),
    body: JSON.stringify(body),
  }
}

/** Requests one page: List Records, or Search for a page that is sorted or matches any filter. */
export function pageRequest(address: Address, question: Question, options: PageOptions): ClientRequest {
  if (question.sort !== undefined || question.isAny) return searchRequest(address, question, options)
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) })
  if (question.offset !== undefined) query.set('offset', String(question.offset))
  if (options.cursor !== undefined) query.set('cursor', options.cursor)
  if (!options.count) query.set('count', 'false')
  for (const [slug, operator, operand] of question.filters) query.set(`filter[${slug}][${operator}]`, operand)
  return { method: 'GET', path: `${recordsPath(address)}?${query}`, headers: headersOf(address) }
}

/** Requests record number `behind` as a page. The cursor of its answer is the start of the next page. */
export const lastBefore = (
  address: Address,
  question: Omit<Question, 'name' | 'where'>,
  behind: number,
): ClientRequest => searchRequest(address, { ...question, offset: behind - 1 }, { count: false, limit: 1 })

export const limitRequest = (path: string): ClientRequest => ({ method: 'GET', path, headers: {} })
