import { expect, test } from 'vitest'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import type { Direction } from './edits.ts'
import { travel } from './travel.ts'

const step = (key: string): WorkflowStep => ({ key, type: 'stop', config: {} })
const SAMPLE: WorkflowDefinition = {
  trigger: 'manual',
  steps: [
    step('first'),
    {
      key: 'way',
      type: 'branch',
      config: {
        branches: [
          { name: 'yes', steps: [step('a'), step('b')] },
          { name: 'maybe', steps: [{ key: 'each', type: 'for_each', config: { steps: [step('c')] } }] },
        ],
        else: [],
      },
    },
    step('last'),
  ],
}
const YES = 'steps[1].config.branches[0].steps'
const LOOP = 'steps[1].config.branches[1].steps[0]'
const ELSE = '+steps[1].config.else[0]'

test.each<[string, Direction, string | undefined]>([
  ['trigger', 'down', 'steps[0]'],
  ['trigger', 'up', undefined],
  ['trigger', 'left', undefined],
  ['steps[0]', 'up', 'trigger'],
  ['steps[0]', 'down', 'steps[1]'],
  ['steps[0]', 'right', undefined],
  ['steps[1]', 'down', `${YES}[0]`],
  [`${YES}[0]`, 'down', `${YES}[1]`],
  [`${YES}[1]`, 'down', 'steps[2]'],
  ['steps[2]', 'up', `${YES}[1]`],
  ['steps[2]', 'down', undefined],
  [`${YES}[0]`, 'up', 'steps[1]'],
  [`${YES}[1]`, 'right', LOOP],
  [LOOP, 'left', `${YES}[0]`],
  [LOOP, 'down', `${LOOP}.config.steps[0]`],
  [`${LOOP}.config.steps[0]`, 'right', ELSE],
  [`${LOOP}.config.steps[0]`, 'down', 'steps[2]'],
  [ELSE, 'left', LOOP],
  [ELSE, 'up', 'steps[1]'],
  [ELSE, 'down', 'steps[2]'],
  [ELSE, 'right', undefined],
])('from %s, the arrow key %s leads to %s', (stop, direction, expected) => {
  expect(travel(SAMPLE, stop, direction)).toBe(expected)
})

test('without steps, leads to the button that adds the first step', () => {
  expect(travel({ trigger: 'manual', steps: [] }, 'trigger', 'down')).toBe('+steps[0]')
  expect(travel({ trigger: 'manual', steps: [] }, '+steps[0]', 'up')).toBe('trigger')
  expect(travel({ trigger: 'manual', steps: [] }, '+steps[0]', 'down')).toBe(undefined)
})
