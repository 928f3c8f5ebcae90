import { expect, it } from 'vitest'
import type { WorkflowStep } from '../api/workflows.ts'
import { problemField, problemPlace } from './problem-place.ts'

const mail: WorkflowStep = { key: 'weekly', type: 'send_email', config: {} }
const steps: WorkflowStep[] = [
  {
    key: 'size',
    type: 'branch',
    config: { branches: [{ name: 'big', steps: [mail] }], else: [{ ...mail, name: 'Tell sales' }] },
  },
]

it.each([
  ['trigger', 'Trigger'],
  ['triggerConfig.cron', 'Trigger'],
  ['parameters[0].name', 'Parameters'],
  ['steps', undefined],
  ['steps[0]', 'Branch “size”'],
  ['steps[0].config.branches[0].when.operator', 'Branch “size”'],
  ['steps[0].config.branches[0].steps[0].config.to', 'Send email “weekly”'],
  ['steps[0].config.else[0].config.to', 'Tell sales'],
  ['steps[10].config.to', undefined],
])('the place of %s is %s', (path, place) => {
  expect(problemPlace({ steps }, path)).toBe(place)
})

it.each([
  ['steps[0].config.matchOn', 'match on'],
  ['triggerConfig.cron', 'cron'],
  ['steps[0].config.branches[0]', undefined],
  ['steps', undefined],
])('the field of %s is %s', (path, field) => {
  expect(problemField(path)).toBe(field)
})
