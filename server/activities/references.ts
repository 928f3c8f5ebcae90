// Whom and what an activity names: each once, and each of them there.
import type { Participant, RecordRef } from '../../contract/activities.ts'
import type { Problem } from '../../contract/errors.ts'
import type { Caller } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { lockNamedRecords, type NamedRecord, selectMemberIds } from './store.ts'

interface Named {
  linkedRecords: readonly RecordRef[]
  participants: readonly Participant[]
}

interface Mention {
  path: string
  key: string
}

const recordKey = ({ objectId, recordId }: NamedRecord) => `${objectId ?? 'people'} ${recordId}`
const personOf = ({ id }: Participant): NamedRecord => ({ objectId: null, recordId: id })

const mentionsOf = ({ linkedRecords, participants }: Named): Mention[] => [
  ...linkedRecords.map((ref, index) => ({ path: `linkedRecords[${index}]`, key: recordKey(ref) })),
  ...participants.map((participant, index) => ({
    path: `participants[${index}]`,
    key: participant.type === 'user' ? `user ${participant.id}` : recordKey(personOf(participant)),
  })),
]

/** Ids as they are kept: lower case, so that equal ones are equal texts. */
export const canonicalRecords = (refs: readonly RecordRef[]): RecordRef[] =>
  refs.map(({ objectId, recordId }) => ({
    objectId: objectId.toLowerCase(),
    recordId: recordId.toLowerCase(),
  }))

export const canonicalParticipants = (participants: readonly Participant[]): Participant[] =>
  participants.map(({ type, id }) => ({ type, id: id.toLowerCase() }))

function duplicates(mentions: readonly Mention[]): Problem[] {
  const first = new Map<string, string>()
  return mentions.flatMap(({ path, key }) => {
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, path)
    return earlier === undefined ? [] : [{ path, code: 'duplicate', message: `is ${earlier} again` }]
  })
}

/**
 * Locks the named records for the rest of the transaction.
 * @returns everything wrong: what is named twice, records that are not there, users who are no members
 */
export async function checkNamed(tx: Db, caller: Caller, named: Named): Promise<Problem[]> {
  const people = named.participants.filter(({ type }) => type === 'person')
  const users = named.participants.filter(({ type }) => type === 'user')
  const live = await lockNamedRecords(tx, caller.org, [...named.linkedRecords, ...people.map(personOf)])
  const members = await selectMemberIds(
    tx,
    caller.orgId,
    users.map(({ id }) => id),
  )
  const there = new Set([...live.map(recordKey), ...[...members].map((id) => `user ${id}`)])
  const mentions = mentionsOf(named)
  const missing = mentions
    .filter(({ key }) => !there.has(key))
    .map(({ path, key }) => ({
      path,
      code: 'invalid_reference',
      message: key.startsWith('user ') ? 'there is no such member' : 'there is no such record',
    }))
  return [...duplicates(mentions), ...missing]
}
