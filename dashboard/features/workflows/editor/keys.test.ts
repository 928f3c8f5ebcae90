import { expect, test } from 'vitest'
import { actionOf, type KeyAction } from './keys.ts'

const NONE = { altKey: false, shiftKey: false, ctrlKey: false, metaKey: false }

test.each<[string, Partial<typeof NONE>, KeyAction | undefined]>([
  ['ArrowDown', {}, { does: 'travel', direction: 'down' }],
  ['ArrowLeft', { altKey: true }, { does: 'move', direction: 'left' }],
  ['ArrowLeft', { shiftKey: true }, undefined],
  ['Enter', {}, { does: 'open' }],
  ['a', {}, { does: 'add' }],
  ['A', { shiftKey: true }, undefined],
  ['+', { shiftKey: true }, { does: 'add' }],
  ['a', { ctrlKey: true }, undefined],
  ['Backspace', {}, { does: 'remove' }],
  ['d', { ctrlKey: true }, { does: 'duplicate' }],
  ['t', {}, { does: 'test' }],
])('returns the action of %s with %j', (key, modifiers, expected) => {
  expect(actionOf({ ...NONE, key, ...modifiers })).toEqual(expected)
})
