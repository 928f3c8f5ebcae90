import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../server/test/any-text.ts'
import { isExact, isMatch, parts } from './matching.ts'

test.each([
  ['', 'Home', true],
  ['cre de', 'Create deal', true],
  ['deal create', 'Create deal', true],
  ['eate', 'Create deal', false],
  ['keys', 'Settings: API keys', true],
  ['dark x', 'Switch to dark', false],
])('isMatch: %j matches %j: %s', (text, title, answer) => {
  expect(isMatch(text, title)).toBe(answer)
})

test('matches synonyms of a title', () => {
  expect(isMatch('log', 'Sign out', 'log out')).toBe(true)
})

test.each([
  [' create D', 'Create deal', true],
  ['deal', 'Create deal', false],
  ['  ', 'Home', false],
])('isExact: %j begins %j: %s', (text, title, answer) => {
  expect(isExact(text, title)).toBe(answer)
})

test.each([
  ['Acme (Berlin)', '(b', ['B']],
  ['José Varga', 'jose', ['José']],
  ['Ada Lovelace', 'love ada', ['Ada', 'Love']],
  ['Ada', '', []],
  ['a.b', '.', ['.']],
])('in %j the hits of %j are %j', (title, text, hits) => {
  expect(parts(title, text).flatMap((part) => (part.isHit ? [part.text] : []))).toEqual(hits)
})

test('parts joined together are the whole title', () => {
  fc.assert(
    fc.property(anyText(), anyText(), (title, text) => {
      expect(
        parts(title, text)
          .map((part) => part.text)
          .join(''),
      ).toBe(title)
    }),
  )
})
