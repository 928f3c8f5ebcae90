import { expect, test } from 'vitest'
import { type EditAction, editActionOf } from './keys.ts'

const NONE = { altKey: false, shiftKey: false, ctrlKey: false, metaKey: false }

test.each<[string, Partial<typeof NONE>, EditAction | undefined]>([
  ['z', { metaKey: true }, 'undo'],
  ['Z', { metaKey: true, shiftKey: true }, 'redo'],
  ['y', { ctrlKey: true }, 'redo'],
  ['s', { ctrlKey: true }, 'save'],
  ['s', { ctrlKey: true, shiftKey: true }, undefined],
  ['s', { ctrlKey: true, altKey: true }, undefined],
  ['s', {}, undefined],
  ['a', { ctrlKey: true }, undefined],
])('returns the action of %s with %j', (key, modifiers, expected) => {
  expect(editActionOf({ ...NONE, key, ...modifiers })).toBe(expected)
})
