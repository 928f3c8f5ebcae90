import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import { begin, undo } from '../../../shared/editing/history.ts'
import { applyChange, replaceStep, select, typedPlace } from './editing.ts'
import { changeField, insertStep, renameKey } from './edits.ts'

const START = begin({
  definition: { trigger: 'manual', steps: [] } as WorkflowDefinition,
  selected: undefined as string | undefined,
})
const added = applyChange(START, (definition) =>
  insertStep(definition, { list: 'steps', index: 0 }, 'for_each'),
)

describe('editing', () => {
  test('selects an added step, and restores the previous selection on undo', () => {
    expect(added.present.selected).toBe('steps[0]')
    expect(undo(added).present).toEqual(START.present)
  })

  test('adds no undo step if nothing changes', () => {
    const same = applyChange(added, (definition) => renameKey(definition, 'steps[0]', 'no key'))
    expect(same).toBe(added)
    expect(select(added, undefined).past).toBe(added.past)
  })

  test('merges typing into one undo step until another step is selected', () => {
    const type = (history: typeof START, text: string) =>
      applyChange(history, (definition) => changeField(definition, 'steps[0]', 'items', text), 'items')
    const typed = type(type(added, 'a'), 'ab')
    expect(typed.past.length).toBe(2)
    expect(type(select(select(typed, undefined), 'steps[0]'), 'abc').past.length).toBe(3)
  })

  test('replaces the fields of a step except its key', () => {
    const step = { key: 'halt', type: 'stop', config: { message: 'x' } } as const
    const before: WorkflowDefinition = { trigger: 'manual', steps: [{ ...step, name: 'End' }] }
    const { definition } = replaceStep(before, 'steps[0]', { ...step, key: 'other', onError: 'continue' })
    expect(definition.steps).toEqual([{ ...step, onError: 'continue' }])
  })
})

test.each([
  [{ title: 'a', type: 'note' }, { title: 'ab', type: 'note' }, 'title'],
  [{ data: { a: [{ b: '' }] } }, { data: { a: [{ b: 'x' }] } }, 'data.a[0].b'],
  [{ title: 'offer' }, { title: 'ofer' }, 'title'],
  [{ title: 'ofer' }, { title: 'offer' }, 'title'],
  [{ title: 'a' }, { title: '' }, 'title'],
  [{ type: 'note' }, { type: 'task' }, undefined],
  [{ at: 'note' }, { at: 'notice, then task' }, undefined],
  [{ title: 'a', type: 'note' }, { title: 'b', type: 'task' }, undefined],
  [{ limit: 1 }, { limit: 2 }, undefined],
  [{ title: 'a' }, {}, undefined],
  [{ to: ['a'] }, { to: ['a', 'b'] }, undefined],
  [{ to: 'a' }, { to: ['a'] }, undefined],
])('the only typed text from %j to %j is at %s', (before, after, place) => {
  expect(typedPlace(before, after)).toBe(place)
})
