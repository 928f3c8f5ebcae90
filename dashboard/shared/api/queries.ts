// Queries that send one request, and lists that are read page by page. A request is aborted when no component needs
// its answer.
import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import { request, type SendOptions } from './client.ts'
import type { Address, Answer, InputOf, Last } from './route-types.ts'

/** The address of a list whose next page begins at a cursor. */
type PagesAddress = {
  [A in Address]: Answer<A> extends { pagination: { nextCursor?: string } } ? A : never
}[Address]

/** @param input an InputOf<A> */
const send = <A extends Address>(address: A, input: object): Promise<Answer<A>> =>
  request(address, ...([input] as unknown as Last<InputOf<A> & SendOptions>))

export const requestQuery = <A extends Address>(queryKey: QueryKey, address: A, input: InputOf<A>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => send(address, { ...input, signal }) })

/** Returns one field of the answer. */
export const fieldQuery = <A extends Address, Field extends keyof Answer<A>>(
  queryKey: QueryKey,
  address: A,
  input: InputOf<A>,
  field: Field,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await send(address, { ...input, signal }))[field],
  })

export const pagesQuery = <A extends PagesAddress>(
  queryKey: QueryKey,
  address: A,
  { query, ...input }: InputOf<A> & { query?: object },
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      send(address, { ...input, query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })
