import { expect, test } from 'vitest'
import { isTyping, type TypedKey } from './typed-keys.ts'

const pressed = (key: string, held: Partial<TypedKey> = {}): TypedKey => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isAltGraph: false,
  ...held,
})

test.each<[string, Partial<TypedKey>, boolean]>([
  ['a', {}, true],
  ['Ä', {}, true],
  ['7', {}, true],
  ['𠮷', {}, true],
  ['Dead', {}, true],
  ['Process', {}, true],
  ['@', { altKey: true, ctrlKey: true, isAltGraph: true }, true],
  [' ', {}, false],
  ['a', { ctrlKey: true }, false],
  ['a', { metaKey: true }, false],
  ['a', { altKey: true }, false],
  ['Enter', {}, false],
  ['ArrowDown', {}, false],
  ['F2', {}, false],
])('isTyping(%s with %j) is %s', (key, held, expected) => {
  expect(isTyping(pressed(key, held), false)).toBe(expected)
})

test('Option writes characters on a Mac', () => {
  expect(isTyping(pressed('@', { altKey: true }), true)).toBe(true)
})
