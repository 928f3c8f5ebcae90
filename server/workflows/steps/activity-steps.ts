// The step that makes an activity.
import { NewActivity } from '../../../contract/activities.ts'
import { createActivity } from '../../activities/service.ts'
import { bare } from '../../activities/store.ts'
import { AppError, invalid } from '../../errors.ts'
import { shapeCheck } from '../../http/validate.ts'
import { isObject, textOf } from '../interpreter/values.ts'
import { StepFailure } from './failure.ts'
import type { StepWork } from './step-work.ts'

const shapeProblems = shapeCheck(NewActivity)

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== ''

/** Of a list; what else templates may have yielded is left out. */
const objectsOf = (list: unknown) => (Array.isArray(list) ? list.filter(isObject) : [])

/** A reference that holds nothing links nothing; one that holds several links each. */
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

/** A date is the beginning of its day. */
const momentOf = (value: unknown) =>
  typeof value === 'string' && DAY.test(value) ? `${value}T00:00:00Z` : value

const participantsOf = (participants: unknown) =>
  objectsOf(participants).flatMap(({ type, id }) =>
    [id]
      .flat()
      .filter(isGiven)
      .map((one) => ({ type, id: one })),
  )

async function activityOf(work: StepWork): Promise<NewActivity> {
  const { type = 'note', title, summary, activityDate, linkedRecords, participants } = work.input
  const activity = {
    type,
    title: textOf(title).trim(),
    ...(isGiven(summary) && { summary: textOf(summary) }),
    ...(isGiven(activityDate) && { activityDate: momentOf(activityDate) }),
    linkedRecords: await linksOf(work, linkedRecords),
    participants: participantsOf(participants),
  }
  const problems = shapeProblems(activity)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return activity as NewActivity
}

const NO_AUTHOR =
  'An activity needs an author, and the user who made this workflow is gone: have another user make a copy of it.'

export async function createOneActivity(work: StepWork) {
  const { ctx, caller } = work
  if (!caller.userId) throw new StepFailure(NO_AUTHOR)
  return bare(await createActivity(ctx, caller, await activityOf(work)))
}
