import { expect, test } from 'vitest'
import { keysText } from './shortcuts.ts'

test.each([
  [['mod', 'K'], true, '⌘K'],
  [['mod', 'K'], false, 'Ctrl+K'],
  [['?'], false, '?'],
])('%j on Apple’s keyboards: %s is %s', (keys, apple, text) => {
  expect(keysText({ keys }, apple)).toBe(text)
})
