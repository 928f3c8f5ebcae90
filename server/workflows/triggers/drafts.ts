// From an event and a workflow that waits for such events to a run, if there is to be one.
import { triggerOfEvent } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import type { ObjectModel } from '../../attributes/models.ts'
import { idTime, newIdAt } from '../../id.ts'
import { parseJson } from '../../json.ts'
import { matchesFilter } from '../../records/filters/matches.ts'
import type { Locale } from '../../records/values.ts'
import { concurrencyOf } from '../engine/concurrency.ts'
import type { RunDraft } from '../engine/create-runs.ts'
import { nameOfRecord, titleOf } from '../engine/titles.ts'
import type { Candidate, EventData } from './candidates-store.ts'
import { causeOf, isReentry, isTooDeep, LOOP_PROTECTION } from './chain.ts'

export interface Occurrence {
  candidate: Candidate
  event: EventData
  /** undefined: it is gone, or cannot be read. */
  definition: WorkflowDefinition | undefined
  /** Of the object that the workflow is about. */
  model: ObjectModel | undefined
  /** Whom the filter of the trigger names by email. */
  members: Locale['members']
}

const isRecordEvent = ({ type }: Pick<Candidate, 'type'>): boolean => type.startsWith('record.')

/** {{trigger}} of runs that events start; as JSON text, since numbers must keep their digits. */
function inputOf(candidate: Candidate, { data, changes }: Pick<EventData, 'data' | 'changes'>): string {
  const event = `"event":"${triggerOfEvent(candidate.type)}"`
  const { subject, objectId } = candidate
  if (!isRecordEvent(candidate))
    return `{${event},"activityId":"${subject}","activity":${data},"data":${data},"parameters":{}}`
  const object = objectId === null ? 'null' : `"${objectId}"`
  const changed = changes === null ? '' : `,"changes":${changes}`
  return `{${event},"recordId":"${subject}","objectId":${object},"data":${data}${changed},"parameters":{}}`
}

type Data = Readonly<Record<string, unknown>>

function isWanted({ candidate, event, definition, model, members }: Occurrence, data: Data): boolean {
  const { filter, objectId } = definition?.triggerConfig ?? {}
  // The object that the trigger names is gone.
  if (objectId !== undefined && !model) return false
  if (filter === undefined || !isRecordEvent(candidate)) return true
  return matchesFilter(filter, {
    data,
    attributes: model?.attributes ?? new Map(),
    locale: { ...candidate, members },
    record: { id: candidate.subject, updatedMs: idTime(candidate.event), createdBy: event.createdBy },
  })
}

function aboutOf({ candidate, model }: Occurrence, data: Data): string | undefined {
  if (!isRecordEvent(candidate)) return typeof data['title'] === 'string' ? data['title'] : undefined
  return model && nameOfRecord(model, { id: candidate.subject, data })
}

const UNREADABLE = 'Not started: the definition of this workflow cannot be read. Save it again.'

/** Of a workflow that waits for the event; whether it is wanted was not asked yet. */
function draftOf(occurrence: Occurrence, about: string | undefined): RunDraft {
  const { candidate, event, definition } = occurrence
  const { org, workflow, version, workflowName, type, subject, causeRun } = candidate
  const cause = causeOf(candidate)
  const draft: RunDraft = {
    ...{
      org,
      workflow,
      version,
      subject,
      id: newIdAt(new Date(candidate.now)),
      status: 'queued',
      startedBy: null,
    },
    ...{ title: titleOf(workflowName, about), triggerEvent: type.replace('.', '/') },
    concurrency: concurrencyOf(definition ?? {}, subject),
    input: inputOf(candidate, event),
    ...{ causeEvent: candidate.event, causeRun, ...cause, failure: null, error: null },
  }
  if (!definition) return { ...draft, status: 'failed', failure: 'definition_missing', error: UNREADABLE }
  if (isTooDeep(cause))
    return { ...draft, status: 'failed', failure: 'loop_protection', error: LOOP_PROTECTION }
  return draft
}

/** @returns undefined: no run */
export function runOf(occurrence: Occurrence): RunDraft | undefined {
  const { candidate, event, definition } = occurrence
  if (!definition) return draftOf(occurrence, undefined)
  if (isReentry(definition, causeOf(candidate), candidate)) return undefined
  const data = parseJson(event.data) as Data
  return isWanted(occurrence, data) ? draftOf(occurrence, aboutOf(occurrence, data)) : undefined
}

/** For a workflow whose trigger could not even be looked at. */
export const brokenRunOf = (occurrence: Occurrence): RunDraft => ({
  ...draftOf(occurrence, undefined),
  ...{ status: 'failed', failure: 'internal', error: UNREADABLE },
})
