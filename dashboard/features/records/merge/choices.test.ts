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

test('only attributes of which the records have different values are asked about', () => {
  expect(differing(ATTRIBUTES, sides).map(({ slug }) => slug)).toEqual(['email', 'tags'])
})

test.each([
  ['the value of the winner', 'tags', 'b', 'b'],
  ['the first value where the winner has none', 'email', 'a', 'b'],
  ['nothing where none has one', 'city', 'c', 'c'],
])('by default it keeps %s', (_, slug, winnerId, source) => {
  expect(defaultSource(slug, winnerId, sides)).toBe(source)
})

test('the request names what is not kept by default', () => {
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
