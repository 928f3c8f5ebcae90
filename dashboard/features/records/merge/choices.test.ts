import { expect, test } from 'vitest'
import { ALL, defaultSource, differing, mergeBody } from './choices.ts'

const ATTRIBUTES = [
  { slug: 'name', isList: false },
  { slug: 'email', isList: false },
  { slug: 'tags', isList: true },
  { slug: 'city', isList: false },
]
const sides = [
  { id: 'a', data: { name: 'Ada', tags: ['x'] } },
  { id: 'b', data: { name: 'Ada', email: 'b@example.com', tags: ['y'] } },
  { id: 'c', data: { name: 'Ada', email: 'c@example.com', city: null } },
]

test('offers choices only for attributes with different values', () => {
  expect(differing(ATTRIBUTES, sides).map(({ slug }) => slug)).toEqual(['email', 'tags'])
})

test.each([
  ['the value of the winning record', 'tags', 'b', 'b'],
  ['the first other value if the winner has none', 'email', 'a', 'b'],
  ['no value if no record has one', 'city', 'c', 'c'],
])('by default keeps %s', (_, slug, winnerId, source) => {
  expect(defaultSource(slug, winnerId, sides)).toBe(source)
})

test('the request contains only choices that differ from the default', () => {
  expect(mergeBody(ATTRIBUTES, { winnerId: 'a', sides, chosen: { email: 'b' } })).toEqual({
    winnerId: 'a',
    loserIds: ['b', 'c'],
  })
  const chosen = { email: 'c', tags: ALL, name: 'b' }
  expect(mergeBody(ATTRIBUTES, { winnerId: 'b', sides, chosen })).toEqual({
    winnerId: 'b',
    loserIds: ['a', 'c'],
    united: ['tags'],
    sources: { email: 'c' },
  })
})
