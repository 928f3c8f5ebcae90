// Names of records and members that others refer to. Those of records are asked for one by one, and fetched together.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import { creatorsQuery } from './creators.ts'
import { gathering } from './gather.ts'
import { membersQuery } from './members.ts'

/** In place of the id of an object, where what is named are members. */
export const MEMBERS = 'members'
/** The same, where API keys and workflows are named too: those who create records. */
export const CREATORS = 'creators'

interface RecordRef {
  /** MEMBERS: recordId is the id of a user. CREATORS: of a user, an API key or a workflow. */
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

/** A record among others that may have the same name. */
export interface HintedName {
  name: string
  /** What tells it apart: "Acme · ada@example.com". */
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

/** What is shown as the name where the query gives null. */
export const missingName = (objectId: string): string => MISSING[objectId] ?? 'Deleted record'

function askName(client: QueryClient, org: string, ref: RecordRef): Promise<string | null | undefined> {
  if (ref.objectId === MEMBERS) return askMembers(client, org, ref.recordId)
  return ref.objectId === CREATORS ? askCreators(client, org, ref.recordId) : ask(org, ref)
}

/** null: the record was deleted, or the user is no longer a member. */
export const recordNameQuery = (org: string, ref: RecordRef) =>
  queryOptions({
    queryKey: [...recordNamesKey(org), ref.recordId],
    queryFn: ({ client }) => askName(client, org, ref),
    staleTime: 60_000,
  })

/** As recordNameQuery, with a hint: for choices between records. */
export const recordHintQuery = (org: string, ref: RecordRef) =>
  queryOptions({
    queryKey: [...recordNamesKey(org), 'hint', ref.recordId],
    queryFn: () => askHint(org, ref),
    staleTime: 60_000,
  })
