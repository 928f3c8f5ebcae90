// The source of an undo: a change set, an import, a workflow run, or the changes of an API key in a span of time.

import type { ChangeSetKind } from '../../contract/change-sets.ts'
import { UNDO_HOURS } from '../../contract/limits.ts'
import type { NewUndoJob } from '../../contract/undo-jobs.ts'
import { type Caller, mayRead } from '../base/caller.ts'
import { invalidField } from '../base/errors.ts'
import { idAfter, lowestIdAt } from '../base/id.ts'

export interface Source {
  org: number
  /** A reassignment is the change set with its id. */
  kind: Exclude<ChangeSetKind, 'reassignment'>
  id: string
  /** The changes of the source are from this event up to, but not including, the position. */
  firstEvent: string
  position: string
  /** Whether changes of activities are undone too. */
  withActivities: boolean
  /** Whether changes of comments are undone too. */
  withComments: boolean
  /** Whether changes of files of activities are undone too. */
  withActivityFiles: boolean
  /** The author of the comments whose changes are undone; null for all authors. */
  commentsOf: string | null
  /** The span of an API key. */
  from: Date | null
  to: Date | null
}

/** Whether the source is read by its batches. */
export const isBatched = ({ kind }: Pick<Source, 'kind'>): boolean =>
  kind === 'changeSet' || kind === 'import'

/** The state of the database when a job begins. */
export interface Beginning {
  now: Date
  /** The newest event or change of a file of the organization, if it has any. */
  lastEvent: string | undefined
}

/**
 * The position after all existing changes of the span. Times of events are more precise than the times in API
 * responses.
 */
function endOf(to: Date, { now, lastEvent }: Beginning): string {
  const end = lowestIdAt(new Date(to.getTime() + 1))
  const last = lastEvent === undefined ? end : idAfter(lastEvent)
  return to < now && end < last ? end : last
}

/** @throws 400 validation_error */
function spanOf({ kind, from, to }: NewUndoJob, now: Date): { from: Date; to: Date } | null {
  if (kind !== 'apiKey') {
    const path = from === undefined ? 'to' : 'from'
    if (from === undefined && to === undefined) return null
    throw invalidField(path, 'not_allowed', 'is of an API key only: leave it out')
  }
  if (from === undefined)
    throw invalidField(
      'from',
      'required',
      'must be the time from which on the changes of the API key are undone: send it',
    )
  const span = { from: new Date(from), to: to === undefined ? now : new Date(to) }
  if (span.to < span.from) throw invalidField('to', 'invalid_value', 'must not be before from: exchange them')
  return { from: span.from, to: span.to > now ? now : span.to }
}

/** @throws 400 validation_error */
export function sourceOf(
  { org, commentsOf, ...caller }: Pick<Caller, 'org' | 'scopes'> & Pick<Source, 'commentsOf'>,
  body: NewUndoJob,
  beginning: Beginning,
): Source {
  const { now } = beginning
  const span = spanOf(body, now)
  const oldest = new Date(now.getTime() - UNDO_HOURS * 3_600_000)
  const first = span && span.from > oldest ? span.from : oldest
  return {
    ...{ org, kind: body.kind === 'reassignment' ? 'changeSet' : body.kind, id: body.id.toLowerCase() },
    firstEvent: lowestIdAt(first),
    position: endOf(span?.to ?? now, beginning),
    withActivities: mayRead(caller, 'activities:write'),
    withComments: mayRead(caller, 'comments:write'),
    withActivityFiles: mayRead(caller, 'attachments:write'),
    commentsOf,
    from: span?.from ?? null,
    to: span?.to ?? null,
  }
}
