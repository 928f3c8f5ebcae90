import { expect, test } from 'vitest'
import { placeIn, rememberedNeighbours, rememberRecords } from './record-neighbours.ts'

test('a record is between its neighbours, the ends of a list have one', () => {
  const list = { ids: ['a', 'b', 'c'], total: 3 }
  expect(placeIn(list, 'b')).toEqual({ previous: 'a', next: 'c', place: 2, total: 3 })
  expect(placeIn(list, 'a')).toMatchObject({ previous: undefined, next: 'b' })
  expect(placeIn(list, 'd')).toBeUndefined()
})

test('each object of each organization has a separate list', () => {
  rememberRecords('acme', 'people', { ids: ['a', 'b'], total: 9 })
  expect(rememberedNeighbours('acme', 'people', 'a')).toMatchObject({ next: 'b', total: 9 })
  expect(rememberedNeighbours('other', 'people', 'a')).toBeUndefined()
})
