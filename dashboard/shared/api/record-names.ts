// Names of records and members for references. Lookups of record names are combined into one request.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import { creatorsQuery } from './creators.ts'
import { gathering } from './gather.ts'
import { membersQuery } from './members.ts'

/** Used instead of an object id for references to members. */
export const MEMBERS = 'members'
/** Used instead of an object id for creators of records: members, API keys and workflows. */
export const CREATORS = 'creators'

interface RecordRef {
  /** With MEMBERS, recordId is the id of a user. With CREATORS, it is the id of a user, an API key or a workflow. */
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

/** The name of a record that may share its name with others. */
export interface HintedName {
  name: string
  /** Distinguishes records with the same name: "Acme · ada@example.com". */
  hint: string | undefined
}

async function fetchHints(org: string, refs: readonly RecordRef[]): Promise<Map<string, HintedName>> {
  const { names } = await request('POST /record-names', {
    org,
    body: { refs: refs.map(({ objectId, recordId }) => ({ objectId, recordId })), includeHints: true },
  })
  return new Map(names.map(({ recordId, name, hint }) => [recordId, { name, hint }]))
}

const askHint = gathering(fetchHints, ({ recordId }) => recordId)

/** The query key of all names. */
export const recordNamesKey = (org: string) => [org, 'record-name'] as const

/** The filter value that means the signed-in user. */
export const ME = 'me'

/** @param named the user id; filters written through the API may use an email address */
async function askMembers(client: QueryClient, org: string, named: string): Promise<string | null> {
  if (named === ME) return ME
  const members = await client.ensureQueryData(membersQuery(org))
  const user = members.map((member) => member.user).find(({ id, email }) => id === named || email === named)
  return user ? user.name || user.email : null
}

async function askCreators(client: QueryClient, org: string, named: string): Promise<string | null> {
  const member = await askMembers(client, org, named)
  if (member !== null) return member
  const creators = await client.ensureQueryData(creatorsQuery(org))
  return creators.find(({ id }) => id === named)?.label ?? null
}

const MISSING: Readonly<Record<string, string>> = {
  [MEMBERS]: 'Former member',
  [CREATORS]: 'Certain creator',
}

/** The name that is shown when the query returns null. */
export const missingName = (objectId: string): string => MISSING[objectId] ?? 'Deleted record'

function askName(client: QueryClient, org: string, ref: RecordRef): Promise<string | null | undefined> {
  if (ref.objectId === MEMBERS) return askMembers(client, org, ref.recordId)
  return ref.objectId === CREATORS ? askCreators(client, org, ref.recordId) : ask(org, ref)
}

/** Returns null if the record was deleted, or if the user is no longer a member. */
export const recordNameQuery = (org: string, ref: RecordRef) =>
  queryOptions({
    queryKey: [...recordNamesKey(org), ref.recordId],
    queryFn: ({ client }) => askName(client, org, ref),
    staleTime: 60_000,
  })

/** Like recordNameQuery, with a hint: for pickers of records. */
export const recordHintQuery = (org: string, ref: RecordRef) =>
  queryOptions({
    queryKey: [...recordNamesKey(org), 'hint', ref.recordId],
    queryFn: () => askHint(org, ref),
    staleTime: 60_000,
  })
