// Decides whether an event starts a run of a workflow, and creates the draft of the run.
import { CHAIN_DEPTH_MAX, triggerOfEvent } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { idTime, newIdAt } from '../../base/id.ts'
import { parseJson } from '../../base/json.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { type MatchedTargets, matchesFilter } from '../../records/filters/matches.ts'
import type { Locale } from '../../records/values/attribute.ts'
import { concurrencyOf } from '../engine/concurrency.ts'
import type { RunDraft } from '../engine/create-runs.ts'
import type { ChainLink } from '../engine/new-runs-store.ts'
import { nameOfRecord, titleOf } from '../engine/titles.ts'
import type { EventData, TriggerCandidate } from './candidates-store.ts'

export interface Occurrence {
  candidate: TriggerCandidate
  event: EventData
  /** undefined: the definition was deleted, or cannot be read. */
  definition: WorkflowDefinition | undefined
  /** The model of the workflow's object. */
  model: ObjectModel | undefined
  /** The members that the trigger filter names by email. */
  members: Locale['members']
  /** The records behind references in the filter. */
  targets?: MatchedTargets | undefined
}

const isRecordEvent = ({ type }: Pick<TriggerCandidate, 'type'>): boolean => type.startsWith('record.')

/** {{trigger}} of runs that events start, as JSON text, so that numbers keep their digits. */
function inputOf(
  candidate: TriggerCandidate,
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

type Data = Readonly<Record<string, unknown>>

function isWanted(occurrence: Occurrence, data: Data): boolean {
  const { candidate, event, definition, model, members, targets } = occurrence
  const { filter, objectId } = definition?.triggerConfig ?? {}
  // The object of the trigger was deleted.
  if (objectId !== undefined && !model) return false
  if (filter === undefined || !isRecordEvent(candidate)) return true
  return matchesFilter(filter, {
    data,
    attributes: model?.attributes ?? new Map(),
    locale: { ...candidate, members },
    ...(targets && { targets }),
    record: { id: candidate.subject, updatedMs: idTime(candidate.event), createdBy: event.createdBy },
  })
}

function aboutOf({ candidate, model }: Occurrence, data: Data): string | undefined {
  if (!isRecordEvent(candidate)) return typeof data['title'] === 'string' ? data['title'] : undefined
  return model && nameOfRecord(model, { id: candidate.subject, data })
}

const UNREADABLE = 'Not started: the definition of this workflow cannot be read. Save it again.'

/** The runs that led to this run, when workflows trigger each other. */
interface Cause {
  /** Number of these runs. */
  depth: number
  /** Oldest first. */
  chain: readonly ChainLink[]
}

type Caused = Pick<TriggerCandidate, 'causeRun' | 'causeWorkflow' | 'causeSubject' | 'depth' | 'chain'>

function causeOf({ causeRun, causeWorkflow, causeSubject, depth, chain }: Caused): Cause {
  if (causeRun === null || causeWorkflow === null) return { depth: 0, chain: [] }
  const earlier = JSON.parse(chain ?? '[]') as ChainLink[]
  return { depth: (depth ?? 0) + 1, chain: [...earlier, { workflow: causeWorkflow, subject: causeSubject }] }
}

/** Whether an earlier run of the same workflow on the same record caused the change. */
const isReentry = (
  { allowReentry }: Pick<WorkflowDefinition, 'allowReentry'>,
  { chain }: Cause,
  link: ChainLink,
): boolean =>
  !allowReentry &&
  chain.some(({ workflow, subject }) => workflow === link.workflow && subject === link.subject)

const LOOP_PROTECTION = `Not started: ${CHAIN_DEPTH_MAX + 1} runs have triggered each other in a row, which looks like a loop. Check the run that caused this one, and narrow the trigger of one of these workflows.`

const isTooDeep = ({ depth }: Cause): boolean => depth > CHAIN_DEPTH_MAX

/** The draft of a run, before the filter of the trigger is evaluated. */
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

/** The failed run of a workflow whose trigger could not be evaluated. */
export const brokenRunOf = (occurrence: Occurrence): RunDraft => ({
  ...draftOf(occurrence, undefined),
  ...{ status: 'failed', failure: 'internal', error: UNREADABLE },
})
