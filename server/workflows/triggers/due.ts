// Starts scheduled workflows: one run, also when several times were missed while the service was down.
import type { Logger } from 'pino'
import type { Sql } from 'sql-template-tag'
import { counted } from '../../../contract/counted.ts'
import { dateFormat } from '../../../contract/language.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { newIdAt } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import type { WorkflowContext } from '../context.ts'
import { concurrencyOf } from '../engine/concurrency.ts'
import { createRuns, type RunDraft } from '../engine/create-runs.ts'
import { loadDefinitions } from '../engine/definitions.ts'
import { reportNotStarted } from '../engine/failed-run.ts'
import { titleOf } from '../engine/titles.ts'
import { type DueWorkflow, lockDue, setNextTimes } from './due-store.ts'
import { nextTimes } from './schedule.ts'

const AT_ONCE = 50
/** The maximum number of missed times that are counted. */
const MISSED_MAX = 1000

interface Occasion {
  /** The scheduled time of the run: the last one that has passed. */
  scheduledFor: Date
  missed: number
  nextAt: Date | null
}

/** @returns undefined: the schedule is invalid */
function occasionOf(due: DueWorkflow, { triggerConfig }: WorkflowDefinition): Occasion | undefined {
  const { cron = '', timezone = due.timeZone } = triggerConfig ?? {}
  const now = new Date(due.now)
  let scheduledFor = new Date(due.nextAt)
  for (let missed = 0; ; missed++) {
    const next = nextTimes(cron, timezone, missed < MISSED_MAX ? scheduledFor : now, 1)
    if (!next) return undefined
    const [nextAt = null] = next
    if (nextAt === null || nextAt > now) return { scheduledFor, missed, nextAt }
    scheduledFor = nextAt
  }
}

function shownTime(at: Date, timeZone: string): string {
  try {
    return dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
  } catch {
    // The time zone is invalid.
    return at.toISOString()
  }
}

const missedWords = (missed: number) => {
  if (missed === 0) return ''
  const least = missed >= MISSED_MAX ? 'at least ' : ''
  return ` (${least}${counted(missed, 'time before it was', 'times before it were')} missed)`
}

const UNREADABLE = 'Not started: the schedule of this workflow cannot be read. Save it with another schedule.'

function draftOf(
  due: DueWorkflow,
  definition: WorkflowDefinition | undefined,
  occasion: Occasion | undefined,
): RunDraft {
  const { org, workflow, version, workflowName, timeZone } = due
  const { scheduledFor = new Date(due.nextAt), missed = 0 } = occasion ?? {}
  const about = shownTime(scheduledFor, definition?.triggerConfig?.timezone ?? timeZone) + missedWords(missed)
  const input = {
    event: 'schedule',
    scheduledFor: scheduledFor.toISOString(),
    missed,
    data: {},
    parameters: {},
  }
  return {
    ...{ org, workflow, version, id: newIdAt(new Date(due.now)), triggerEvent: 'schedule', subject: null },
    title: titleOf(workflowName, about),
    concurrency: concurrencyOf(definition ?? {}, null),
    input: JSON.stringify(input),
    ...{ causeEvent: null, causeRun: null, depth: 0, chain: [], startedBy: null },
    ...(occasion
      ? { status: 'queued', failure: null, error: null }
      : { status: 'failed', failure: 'definition_missing', error: UNREADABLE }),
  }
}

/** @returns undefined: the schedule is invalid or threw an error */
function attemptOccasion(
  { log }: { log: Logger },
  due: DueWorkflow,
  definition: WorkflowDefinition | undefined,
) {
  try {
    return definition && occasionOf(due, definition)
  } catch (err) {
    log.error({ err, workflow: due.workflow }, 'the schedule of a workflow failed')
    return undefined
  }
}

/** Starts due workflows in one transaction. @returns whether more may be due now */
export const startDueSchedules = ({
  ctx,
  queue,
  now,
}: {
  ctx: WorkflowContext
  queue: Db
  now: Sql
}): Promise<boolean> =>
  queue.transaction(async (tx) => {
    const due = await lockDue(tx, AT_ONCE, now)
    if (due.length === 0) return false
    const definitionOf = await loadDefinitions(tx, due)
    const found = due.map((one) => {
      const definition = definitionOf(one)
      return { one, definition, occasion: attemptOccasion(ctx, one, definition) }
    })
    const drafts = found.map(({ one, definition, occasion }) => draftOf(one, definition, occasion))
    const placed = await createRuns(tx, drafts, now)
    const named = placed.map((run, place) => ({ ...run, workflowName: due[place]?.workflowName ?? '' }))
    await reportNotStarted(tx, named, due[0]?.now ?? '')
    await setNextTimes(
      tx,
      found.map(({ one, occasion }) => ({ ...one, nextAt: occasion?.nextAt ?? null })),
    )
    return true
  })
