// Converts members, people and records to values of a picker, and back.
import type { Participant, RecordRef } from '../api.ts'

export const participantKey = ({ type, id }: Participant): string => `${type}:${id}`
export const recordKey = ({ objectId, recordId }: RecordRef): string => `${objectId}:${recordId}`

export function participantOf(key: string): Participant {
  const [type, id = ''] = key.split(':')
  return { type: type === 'user' ? 'user' : 'person', id }
}

export function recordOf(key: string): RecordRef {
  const [objectId = '', recordId = ''] = key.split(':')
  return { objectId, recordId }
}
