// Compares every answer of the service with the limit's before it is measured. The bench is also a test of the answers.
import type { ClientRequest } from './client.ts'

export interface PageAnswer {
  records: { id: string }[]
  pagination: { total?: number; nextCursor?: string }
}

export async function send<Answer>(
  url: string,
  { method, path, headers, body }: ClientRequest,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answer
}

const idsOf = ({ records }: PageAnswer) => records.map(({ id }) => id)

/** Describes the first difference; undefined when the pages are equal. */
export function differenceOf(service: PageAnswer, limit: PageAnswer): string | undefined {
  const [ours, theirs] = [service, limit].map(idsOf)
  const place = theirs?.findIndex((id, index) => id !== ours?.[index]) ?? -1
  if (place >= 0) return `record ${place} is ${ours?.[place]}, in the limit ${theirs?.[place]}`
  if (ours?.length !== theirs?.length) return `${ours?.length} records, in the limit ${theirs?.length}`
  const [total, expected] = [service.pagination.total ?? null, limit.pagination.total ?? null]
  return total === expected ? undefined : `the total is ${total}, in the limit ${expected}`
}

/** @throws Error when the two answers differ @returns the service's answer */
export async function requireSamePage(
  name: string,
  urls: { service: string; limit: string },
  { service, limit }: { service: ClientRequest; limit: ClientRequest },
): Promise<PageAnswer> {
  const ours = await send<PageAnswer>(urls.service, service)
  const difference = differenceOf(ours, await send<PageAnswer>(urls.limit, limit))
  if (difference !== undefined) throw new Error(`${name} is answered wrongly: ${difference}`)
  return ours
}
