import { expect, test } from 'vitest'
import { keysText, PORTAL_SHORTCUTS, SHORTCUTS } from './shortcuts.ts'

test.each([
  [['mod', 'K'], true, '⌘K'],
  [['mod', 'K'], false, 'Ctrl+K'],
  [['Alt', '←'], true, '⌥←'],
  [['Alt', '←'], false, 'Alt+←'],
  [['?'], false, '?'],
])('%j on Apple’s keyboards: %s is %s', (keys, apple, text) => {
  expect(keysText({ keys }, apple)).toBe(text)
})

test.each([
  ['the dashboard', SHORTCUTS],
  ['the portal', PORTAL_SHORTCUTS],
])('no section of %s is repeated', (_, sections) => {
  const titles = sections.map(({ title }) => title)
  expect(titles).toEqual([...new Set(titles)])
})
