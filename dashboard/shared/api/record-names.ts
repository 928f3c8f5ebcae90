// Names of records and members that others refer to. Those of records are asked for one by one, and fetched together.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import { gathering } from './gather.ts'
import { membersQuery } from './members.ts'

/** In place of the id of an object, where what is named are members. */
export const MEMBERS = 'members'

interface RecordRef {
  /** MEMBERS: recordId is the id of a user. */
  objectId: string
  recordId: string
}

async function fetchNames(org: string, refs: readonly RecordRef[]): Promise<Map<string, string>> {
  const { names } = await request('POST /record-names', {
    org,
    body: { refs: refs.map(({ objectId, recordId }) => ({ objectId, recordId })) },
  })
  return new Map(names.map(({ recordId, name }) => [recordId, name]))
}

const ask = gathering(fetchNames, ({ recordId }) => recordId)

/** Every name is under this key. */
export const recordNamesKey = (org: string) => [org, 'record-name'] as const

/** What filters compare with to mean the signed-in user. */
export const ME = 'me'

/** @param named by the user id; filters that were written by API may have an email */
async function askMembers(client: QueryClient, org: string, named: string): Promise<string | null> {
  if (named === ME) return ME
  const members = await client.ensureQueryData(membersQuery(org))
  const user = members.map((member) => member.user).find(({ id, email }) => id === named || email === named)
  return user ? user.name || user.email : null
}

/** What stands for the name where the query gives null. */
export const goneName = (objectId: string): string =>
  objectId === MEMBERS ? 'Former member' : 'Deleted record'

/** null: the record is gone, or the user is no member any more. */
export const recordNameQuery = (org: string, ref: RecordRef) =>
  queryOptions({
    queryKey: [...recordNamesKey(org), ref.recordId],
    queryFn: ({ client }) =>
      ref.objectId === MEMBERS ? askMembers(client, org, ref.recordId) : ask(org, ref),
    staleTime: 60_000,
  })
