import { expect, test } from 'vitest'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { type Pages, recordsOf, withCard, withoutCard } from './card-places.ts'
import { neighbour } from './use-keyboard-move.ts'

const record = (id: string, day: number, amount: number): CrmRecord => ({
  id,
  objectId: 'deals',
  data: { name: id, amount: { amount, currency: 'USD' } },
  createdAt: `2026-11-0${day}T10:00:00.000Z`,
  updatedAt: `2026-11-0${day}T10:00:00.000Z`,
  version: 1,
})

const pagesOf = (...pages: CrmRecord[][]): Pages => ({
  pages: pages.map((records) => ({ records, pagination: { limit: 2, offset: 0 } })),
  pageParams: pages.map((_, index) => index),
})

const ids = (pages: Pages) => pages.pages.map(({ records }) => records.map(({ id }) => id).join(''))

const latestFirst = pagesOf([record('e', 9, 1), record('d', 7, 2)], [record('c', 5, 3), record('b', 3, 4)])

test.each([
  ['first', record('x', 9, 0), ['xed', 'cb']],
  ['between two of a page', record('x', 8, 0), ['exd', 'cb']],
  ['between two pages', record('x', 6, 0), ['edx', 'cb']],
  ['last', record('x', 1, 0), ['ed', 'cbx']],
  ['a card that is already in the column', record('c', 8, 0), ['ecd', 'b']],
])('inserts a card in the sort order: %s', (_, card, expected) => {
  expect(ids(withCard(latestFirst, card, [{ field: 'updated_at', order: 'desc' }]))).toEqual(expected)
})

test('compares money by its amount', () => {
  const placed = withCard(latestFirst, record('x', 1, 2.5), [{ field: 'amount', order: 'asc' }])
  expect(ids(placed)).toEqual(['edx', 'cb'])
})

test('sorts cards with equal first attributes by the second attribute', () => {
  const cards = pagesOf([record('e', 5, 1), record('d', 5, 2)], [record('c', 5, 4), record('b', 3, 1)])
  const sort = [
    { field: 'updated_at', order: 'desc' },
    { field: 'amount', order: 'asc' },
  ] as const
  expect(ids(withCard(cards, record('x', 5, 3), sort))).toEqual(['edx', 'cb'])
})

test('inserts a card on top if its values cannot be compared', () => {
  expect(ids(withCard(latestFirst, record('x', 1, 1), [{ field: 'company', order: 'asc' }]))).toEqual([
    'xed',
    'cb',
  ])
})

test('inserts a card into an empty column and removes it again', () => {
  const one = withCard(pagesOf([]), record('x', 1, 1), [{ field: 'updated_at', order: 'desc' }])
  expect(ids(one)).toEqual(['x'])
  expect(recordsOf(withoutCard(one, 'x'))).toEqual([])
})

test.each([
  ['Lead', 'Lead', 1, 'Won'],
  ['Lead', 'Lead', -1, 'Lead'],
  ['Lead', 'Won', 1, null],
  ['Lead', null, 1, null],
  ['Old', 'Old', 1, 'Lead'],
] as const)('picked up in %s and now over %s, a step of %i leads to %s', (from, to, step, next) => {
  expect(neighbour(['Lead', 'Won', null], { from, to }, step)).toBe(next)
})
