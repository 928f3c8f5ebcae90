import { NewActivity } from '../../../contract/activities.ts'
import { createActivity as insertActivity } from '../../activities/service.ts'
import { bare } from '../../activities/store.ts'
import { AppError, invalid } from '../../base/errors.ts'
import { shapeCheck } from '../../http/validate.ts'
import { checkObject, checkRecordId, type StepCheck } from '../check/record-checks.ts'
import { isLiteral } from '../check/template-check.ts'
import { isPlainObject, textOf } from '../interpreter/values.ts'
import { readDate } from '../interpreter/zones.ts'
import { StepFailure } from './failure.ts'
import type { DataStep, StepWork } from './step.ts'

const shapeProblems = shapeCheck(NewActivity)

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== ''

/** The objects of a list. Other results of templates are left out. */
const objectsOf = (list: unknown) => (Array.isArray(list) ? list.filter(isPlainObject) : [])

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function check(check: StepCheck): void {
  const { config, path, report } = check
  for (const [index, link] of listOf(config['linkedRecords']).entries()) {
    if (!isPlainObject(link)) continue
    const at = `${path}.linkedRecords[${index}]`
    if (isLiteral(link['objectId'])) checkObject(link['objectId'], `${at}.objectId`, check)
    checkRecordId(link['recordId'], `${at}.recordId`, report)
  }
  for (const [index, participant] of listOf(config['participants']).entries())
    if (isPlainObject(participant))
      checkRecordId(participant['id'], `${path}.participants[${index}].id`, report)
  const { activityDate } = config
  if (isLiteral(activityDate) && !readDate(activityDate))
    report.add(`${path}.activityDate`, 'invalid_date', 'must be a timestamp, such as 2026-11-20T10:00:00Z')
}

/** An empty reference adds no link. A reference to several records links each. */
async function linksOf({ ctx, caller }: StepWork, links: unknown) {
  const found: { objectId: string; recordId: unknown }[] = []
  for (const { objectId, recordId } of objectsOf(links)) {
    const ids = [recordId].flat().filter(isGiven)
    if (ids.length === 0) continue
    const object = await ctx.models.get(ctx.db, caller.org, textOf(objectId)).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found')
        throw new StepFailure(`There is no object "${textOf(objectId)}": choose the linked records again.`)
      throw error
    })
    found.push(...ids.map((id) => ({ objectId: object.id, recordId: id })))
  }
  return found
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** A day becomes the start of that day in UTC. */
const asTimestamp = (value: unknown) =>
  typeof value === 'string' && DAY.test(value) ? `${value}T00:00:00Z` : value

const participantsOf = (participants: unknown) =>
  objectsOf(participants).flatMap(({ type, id }) =>
    [id]
      .flat()
      .filter(isGiven)
      .map((one) => ({ type, id: one })),
  )

async function activityOf(work: StepWork): Promise<NewActivity> {
  const { type = 'note', title, summary, activityDate, assignee, linkedRecords, participants } = work.input
  const activity = {
    type,
    title: textOf(title).trim(),
    ...(isGiven(summary) && { summary: textOf(summary) }),
    ...(isGiven(assignee) && { assignee }),
    ...(isGiven(activityDate) && { activityDate: asTimestamp(activityDate) }),
    linkedRecords: await linksOf(work, linkedRecords),
    participants: participantsOf(participants),
  }
  const problems = shapeProblems(activity)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return activity as NewActivity
}

const NO_AUTHOR =
  'An activity needs an author, but the user who created this workflow was deleted: duplicate the workflow as another user.'

async function perform(work: StepWork) {
  const { ctx, caller } = work
  if (!caller.userId) throw new StepFailure(NO_AUTHOR)
  return bare(await insertActivity(ctx, caller, await activityOf(work)))
}

export const createActivity: DataStep = {
  kind: 'data',
  check,
  perform,
  example: { title: 'x', participants: [{ type: 'person', id: '0198c0de-0000-7000-8000-000000000009' }] },
}
