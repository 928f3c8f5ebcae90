import { expect, it } from 'vitest'
import type { RunStep } from '../api/workflow-runs.ts'
import type { WorkflowStep } from '../api/workflows.ts'
import { itemChoices } from './item-choices.ts'
import { trailOf } from './run-steps.ts'

const trail = trailOf(
  ['steps[0].items[0].steps[0].items[0].steps[0]', 'steps[0].items[4].steps[0].items[1].steps[0]'].map(
    (path) => ({ path, status: 'completed' }) as RunStep,
  ),
)
const loop = { step: { key: 'each', type: 'for_each', config: {} } satisfies WorkflowStep }
const note = { step: { key: 'note', type: 'create_activity', config: {} } satisfies WorkflowStep }

it('offers the items of every loop around a step', () => {
  expect(itemChoices('steps[0].items[4].steps[0].items[1].steps[0]', note, trail)).toMatchObject([
    { loop: 'steps[0]', level: 1, outer: {}, current: 4, isOwn: false },
    { loop: 'steps[0].items[4].steps[0]', level: 2, outer: { 'steps[0]': 4 }, current: 1, isOwn: false },
  ])
})

it('offers the items of the loop itself, initially without a choice', () => {
  expect(itemChoices('steps[0]', loop, trail)).toMatchObject([
    { loop: 'steps[0]', current: undefined, isOwn: true, items: [{ index: 0 }, { index: 4 }] },
  ])
  expect(itemChoices('steps[0].items[4]', loop, trail)).toMatchObject([
    { loop: 'steps[0]', current: 4, isOwn: true },
  ])
})

it('offers nothing without started items', () => {
  expect(itemChoices('steps[1]', loop, trail)).toEqual([])
  expect(itemChoices('steps[0].items[9].steps[0]', loop, trail)).toMatchObject([{ loop: 'steps[0]' }])
})
