// Steps that the interpreter executes itself: they decide where the run goes on, and touch nothing outside of it.

import { LOOP_ITEMS_MAX } from '../../../contract/workflow-states.ts'
import type { Condition, StepType } from '../../../contract/workflow-steps.ts'
import { evaluate } from './conditions.ts'
import { delayUntil } from './delay.ts'
import { completeStep, type Draft, errorText, failStep, type Here, leave, note, write } from './draft.ts'
import { after, ELSE, into, itemsAt, loopAround, nextItem, stepsInside } from './positions.ts'
import type { Next } from './state.ts'
import { isEmpty, isObject, textOf } from './values.ts'

/** @returns what comes next; undefined: the step at the position that it left the draft at */
type Execute = (draft: Draft, here: Here) => Next | undefined

const ENDED: Next = { kind: 'end', status: 'completed' }

/** To the next item of the loop whose steps the draft is in or at the end of. */
export function endItem(draft: Draft, loop: Draft['position'], key: string): void {
  draft.position = nextItem(loop, itemsAt(draft.values, key).length)
  // The items of a loop that is over are of no use, and may be long.
  if (draft.position.length === loop.length) write(draft, `items.${key}`, [])
}

/** A gate: not met, the item is over, or the run when it is in no loop. */
const condition: Execute = (draft, here) => {
  const isMet = evaluate(here.input['when'] as Condition)
  const stopped = completeStep(draft, here, { output: { met: isMet } })
  if (stopped || isMet) return stopped
  const loop = loopAround(draft.position)
  if (!loop) return ENDED
  draft.position = [...loop, { index: Number.MAX_SAFE_INTEGER }]
  return undefined
}

const branch: Execute = (draft, here) => {
  const branches = here.input['branches'] as readonly { name: string; when: Condition }[]
  const taken =
    branches.find(({ when }) => evaluate(when))?.name ??
    (stepsInside(here.step, { branch: ELSE }).length > 0 ? ELSE : null)
  const to = taken === null ? after(draft.position) : into(draft.position, { branch: taken })
  return completeStep(draft, here, { output: { branch: taken }, to })
}

const forEach: Execute = (draft, here) => {
  const given = here.input['items']
  // An empty list attribute has no value at all.
  const items = isEmpty(given) ? [] : given
  if (!Array.isArray(items)) return failStep(draft, here, 'What to go through is not a list.')
  if (items.length > LOOP_ITEMS_MAX)
    return failStep(
      draft,
      here,
      `The list has ${items.length} items: a loop goes through at most ${LOOP_ITEMS_MAX}.`,
    )
  const hasWork = items.length > 0 && stepsInside(here.step, {}).length > 0
  const output = { count: items.length }
  if (!hasWork) return completeStep(draft, here, { output })
  const more = { [`items.${here.step.key}`]: items }
  return completeStep(draft, here, { output, to: into(draft.position, { item: 0 }), more })
}

const setVariables: Execute = (draft, here) => {
  const given = here.input['variables']
  const variables = isObject(given) ? given : {}
  const more = Object.fromEntries(Object.entries(variables).map(([name, value]) => [`vars.${name}`, value]))
  return completeStep(draft, here, { output: variables, more })
}

/** @returns when it is over, or why it cannot be */
function delayOf({ now, facts, wakeAt }: Draft, { input }: Here): { until: Date } | { problem: string } {
  if (wakeAt !== null) return { until: new Date(wakeAt) }
  return delayUntil(input, { now, startedAt: facts.run.startedAt, timeZone: facts.organization.timeZone })
}

const delay: Execute = (draft, here) => {
  const found = delayOf(draft, here)
  if ('problem' in found) return failStep(draft, here, found.problem)
  const { until } = found
  const resumeAt = until.toISOString()
  if (until <= draft.now) return completeStep(draft, here, { output: { until: resumeAt } })
  if (draft.wakeAt === null) note(draft, here, { status: 'waiting', resumeAt })
  draft.wakeAt = resumeAt
  return { kind: 'wait', until, reason: 'delay' }
}

const stop: Execute = (draft, here) => {
  const output = { message: textOf(here.input['message']) }
  return completeStep(draft, here, { output }) ?? ENDED
}

const fail: Execute = (draft, here) => {
  const error = errorText(textOf(here.input['message'])) || 'The workflow says that it failed.'
  note(draft, here, { status: 'failed', error })
  leave(draft, draft.position)
  return { kind: 'end', status: 'failed', failure: 'failed_by_step', error }
}

export const CONTROL: Partial<Record<StepType, Execute>> = {
  condition,
  branch,
  for_each: forEach,
  set_variables: setVariables,
  delay,
  stop,
  fail,
}
