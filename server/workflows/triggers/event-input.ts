// What {{trigger}} is for runs that events start; as JSON text, since numbers must keep their digits.
import { triggerOfEvent } from '../../../contract/workflow-states.ts'
import type { Candidate, EventData } from './candidates-store.ts'

export const isRecordEvent = ({ type }: Pick<Candidate, 'type'>): boolean => type.startsWith('record.')

export function inputOf(
  candidate: Candidate,
  { data, changes }: Pick<EventData, 'data' | 'changes'>,
): string {
  const event = `"event":"${triggerOfEvent(candidate.type)}"`
  const { subject, objectId } = candidate
  if (!isRecordEvent(candidate))
    return `{${event},"activityId":"${subject}","activity":${data},"data":${data},"parameters":{}}`
  const object = objectId === null ? 'null' : `"${objectId}"`
  const changed = changes === null ? '' : `,"changes":${changes}`
  return `{${event},"recordId":"${subject}","objectId":${object},"data":${data}${changed},"parameters":{}}`
}
