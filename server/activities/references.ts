// Checks the participants and records that an activity names: each must exist, and may be named only once.

import type { Participant, RecordRef } from '../../contract/activities.ts'
import { isUuid } from '../../contract/common.ts'
import type { Problem } from '../../contract/errors.ts'
import type { Caller } from '../base/caller.ts'
import { sentName } from '../base/suggestions.ts'
import type { Db } from '../db/pool.ts'
import { selectMemberIds } from '../identity/members/store.ts'
import { selectObjectIds } from '../model/objects/store.ts'
import { lockNamedRecords, type NamedRecord } from './store.ts'

interface Named {
  linkedRecords: readonly RecordRef[]
  participants: readonly Participant[]
  /** A user's id. */
  assignee: string | null
}

interface Mention {
  path: string
  key: string
  /** The reference, for a linked record. */
  ref?: RecordRef
}

const recordKey = ({ objectId, recordId }: NamedRecord) => `${objectId ?? 'people'} ${recordId}`
const personOf = ({ id }: Participant): NamedRecord => ({ objectId: null, recordId: id })

const userKey = (id: string) => `user ${id}`

const mentionsOf = ({ linkedRecords, participants }: Named): Mention[] => [
  ...linkedRecords.map((ref, index) => ({ path: `linkedRecords[${index}]`, key: recordKey(ref), ref })),
  ...participants.map((participant, index) => ({
    path: `participants[${index}]`,
    key: participant.type === 'user' ? userKey(participant.id) : recordKey(personOf(participant)),
  })),
]

export const noSuchObject = (ref: string): string =>
  `must be the id or slug of an object, such as people, not ${sentName(ref)}`

/** Replaces slugs of objects by ids and makes ids lower case, so that equal references match. Unknown slugs stay. */
export async function canonicalRecords(
  tx: Db,
  org: number,
  refs: readonly RecordRef[],
): Promise<RecordRef[]> {
  const ids = await selectObjectIds(
    tx,
    org,
    refs.map(({ objectId }) => objectId),
  )
  return refs.map(({ objectId, recordId }) => ({
    objectId: ids.get(objectId) ?? objectId.toLowerCase(),
    recordId: recordId.toLowerCase(),
  }))
}

export const canonicalParticipants = (participants: readonly Participant[]): Participant[] =>
  participants.map(({ type, id }) => ({ type, id: id.toLowerCase() }))

function duplicates(mentions: readonly Mention[]): Problem[] {
  const first = new Map<string, string>()
  return mentions.flatMap(({ path, key }) => {
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, path)
    return earlier === undefined
      ? []
      : [{ path, code: 'duplicate', message: `is the same as ${earlier}: leave one out` }]
  })
}

function missingOf({ path, key, ref }: Mention): Problem {
  const code = 'invalid_reference'
  if (ref && !isUuid(ref.objectId))
    return { path: `${path}.objectId`, code, message: noSuchObject(ref.objectId) }
  const what = key.startsWith('user ') ? 'member of the organization' : 'record'
  return { path, code, message: `must be the id of a ${what} that exists` }
}

/**
 * Locks the named records for the rest of the transaction.
 * @returns all problems: duplicates, records that do not exist, and users who are not members
 */
export async function checkNamed(tx: Db, caller: Caller, named: Named): Promise<Problem[]> {
  const people = named.participants.filter(({ type }) => type === 'person')
  const users = named.participants.filter(({ type }) => type === 'user')
  const linked = named.linkedRecords.filter(({ objectId }) => isUuid(objectId))
  const live = await lockNamedRecords(tx, caller.org, [...linked, ...people.map(personOf)])
  const { assignee } = named
  const members = await selectMemberIds(tx, caller.orgId, [
    ...users.map(({ id }) => id),
    ...(assignee === null ? [] : [assignee]),
  ])
  const there = new Set([...live.map(recordKey), ...[...members].map(userKey)])
  const mentions = mentionsOf(named)
  // The assignee may also be a participant, so it is not checked for duplicates.
  const assigned = assignee === null ? [] : [{ path: 'assignee', key: userKey(assignee) }]
  const missing = [...mentions, ...assigned].filter(({ key }) => !there.has(key)).map(missingOf)
  return [...duplicates(mentions), ...missing]
}
