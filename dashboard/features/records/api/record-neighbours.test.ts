import { expect, test } from 'vitest'
import { placeIn, rememberedNeighbours, rememberRecords } from './record-neighbours.ts'

test('returns both neighbours of a record, and a single one at the ends of the list', () => {
  const list = { ids: ['a', 'b', 'c'], total: 3 }
  expect(placeIn(list, 'b')).toEqual({ previous: 'a', next: 'c', place: 2, total: 3 })
  expect(placeIn(list, 'a')).toMatchObject({ previous: undefined, next: 'b' })
  expect(placeIn(list, 'd')).toBeUndefined()
})

test('keeps a separate list for each object of each organization', () => {
  rememberRecords('acme', 'people', { ids: ['a', 'b'], total: 9 })
  expect(rememberedNeighbours('acme', 'people', 'a')).toMatchObject({ next: 'b', total: 9 })
  expect(rememberedNeighbours('other', 'people', 'a')).toBeUndefined()
})
