import { expect, test } from 'vitest'
import { searchedFirst } from './first-keys.ts'

const PLAIN = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false }
const SEARCH = { ...PLAIN, key: 'k', ctrlKey: true }
const typed = (text: string) => [...text].map((key) => ({ ...PLAIN, key }))

test.each([
  ['nothing', [], undefined],
  ['the search', [SEARCH], []],
  ['the search on Apple’s keyboards, with caps lock', [{ ...PLAIN, key: 'K', metaKey: true }], []],
  ['a text', [SEARCH, ...typed('ac')], ['a', 'c']],
  ['the search, closed again', [SEARCH, ...typed('ac'), SEARCH], undefined],
  ['the search, opened again', [SEARCH, ...typed('ac'), SEARCH, SEARCH, ...typed('b')], ['b']],
])('after %s, searchedFirst returns the keys for the search', (_, keys, meant) => {
  expect(searchedFirst(keys)).toEqual(meant)
})
