import { expect, test } from 'vitest'
import { attributeOf } from '../../../shared/api/attribute.fixture.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import {
  boardAttributes,
  canTake,
  cardFields,
  columnFilter,
  columnsAtRest,
  columnTitle,
  columnValues,
  fieldChoices,
  firstColumn,
  movedGroups,
  withFields,
} from './columns.ts'

const attribute = (slug: string, type: Attribute['type'], more: Partial<Attribute> = {}) =>
  attributeOf({ id: slug, name: slug, slug, type, ...more })

const name = attribute('name', 'text')
const stage = attribute('stage', 'select', { config: { options: ['Lead', 'Won'] } })
const rating = attribute('rating', 'select', { config: { options: ['Hot'] } })
const amount = attribute('amount', 'currency')
const seats = attribute('seats', 'number')
const tags = attribute('tags', 'select', { isList: true })
const all = [name, tags, stage, rating, amount, seats]

test.each([
  ['the first that fits', null, 'stage', 'amount'],
  ['what the view says', { groupBy: 'rating', sumOf: 'seats' }, 'rating', 'seats'],
  ['no total when the view says none', { groupBy: 'rating' }, 'rating', undefined],
  ['the first for what is missing', { groupBy: 'missing', sumOf: 'missing' }, 'stage', undefined],
  ['no list', { groupBy: 'tags' }, 'stage', undefined],
])('a board is made of %s', (_, board, groupBy, sumOf) => {
  const found = boardAttributes(all, { board })
  expect([found?.groupBy.slug, found?.sumOf?.slug]).toEqual([groupBy, sumOf])
})

test('without an attribute that fits there is no board', () => {
  expect(boardAttributes([name, tags], { board: null })).toBeUndefined()
})

const group = (value: string | null, count = 0, sums: { currency: string | null; sum: string }[] = []) => ({
  value,
  count,
  sums,
})

test('options come in their order, then what is no option any more, then no value', () => {
  expect(columnValues(stage, [group('Old', 1), group(null)])).toEqual(['Lead', 'Won', 'Old', null])
})

const owner = attribute('owner', 'member')
const ownedBy = (...names: string[]) => ({
  ...owner,
  members: new Map(names.map((one, place) => [`u${place}`, one])),
})

test('members have columns by their names, former ones too while they own records', () => {
  expect(boardAttributes([name, owner], { board: null })?.groupBy).toBe(owner)
  expect(boardAttributes([owner, stage], { board: null })?.groupBy).toBe(stage)
  const groupBy = ownedBy('Ada', 'Max')
  const values = columnValues(groupBy, [group('u9', 1)])
  expect(values).toEqual(['u0', 'u1', 'u9', null])
  expect(values.map((value) => columnTitle(groupBy, value))).toEqual([
    'Ada',
    'Max',
    'Former member',
    'No owner',
  ])
  expect(values.map((value) => canTake(groupBy, value))).toEqual([true, true, false, true])
})

test('of many members, those have columns who have records', () => {
  const groupBy = ownedBy(...Array.from({ length: 13 }, (_, place) => `Member ${place}`))
  expect(columnValues(groupBy, [group('u12', 1), group('u3', 2)])).toEqual(['u3', 'u12', null])
})

test('where a value is required, records without one have a column only while there are any', () => {
  const required = { ...stage, isRequired: true }
  expect(columnValues(required, [group(null, 0)])).toEqual(['Lead', 'Won'])
  expect(columnValues(required, [group(null, 2)])).toEqual(['Lead', 'Won', null])
})

test.each([
  ['nothing', [], ['Lead', 'Won']],
  ['no records', [group(null, 0)], ['Lead', 'Won']],
  ['records', [group(null, 2)], ['Lead', 'Won', null]],
])('the column without a value takes room with %s in it: %j', (_, groups, shown) => {
  expect(columnsAtRest(['Lead', 'Won', null], groups)).toEqual(shown)
})

test('a phone begins with the first column that has records', () => {
  expect(firstColumn(['Lead', 'Won', null], [group('Lead', 0), group('Won', 3)])).toBe('Won')
  expect(firstColumn(['Lead', 'Won', null], [group(null, 3)])).toBeNull()
  expect(firstColumn(['Lead', 'Won', null], [])).toBe('Lead')
})

test.each([
  ['Lead', false, true],
  ['Old', false, false],
  [null, false, true],
  [null, true, false],
])('a record may be moved to %s (required: %s): %s', (value, isRequired, answer) => {
  expect(canTake({ ...stage, isRequired }, value)).toBe(answer)
})

test('a column asks for its own records among those of the view', () => {
  const filter = { attributeSlug: 'name', operator: 'contains', value: 'a' } as const
  expect(columnFilter(stage, 'Won', null)).toEqual({
    attributeSlug: 'stage',
    operator: 'equals',
    value: 'Won',
  })
  expect(columnFilter(stage, null, filter)).toEqual({
    and: [filter, { attributeSlug: 'stage', operator: 'isEmpty', value: true }],
  })
})

test('the owner is a picture on the card, and no choice among its fields', () => {
  const withOwner = [{ ...name, isNaming: true }, ...all.slice(1), owner]
  expect(fieldChoices(withOwner, stage)).toEqual([tags, rating, amount, seats])
  expect(cardFields(withOwner, { board: null, columns: [{ slug: 'owner' }, { slug: 'seats' }] })).toEqual([
    seats,
  ])
})

test('what is chosen for cards is what cards show', () => {
  const view = { board: null, columns: withFields(all, [seats, rating]) }
  expect(cardFields(all, view)).toEqual([seats, rating])
  expect(cardFields(all, { board: null, columns: [] })).toEqual([amount, seats])
})

const record = (data: CrmRecord['data']): CrmRecord => ({
  id: 'one',
  objectId: 'deals',
  data,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  version: 1,
})

test('a move takes the amount along, in its own currency', () => {
  const groups = [
    group('Lead', 2, [{ currency: 'USD', sum: '10.5' }]),
    group('Won', 1, [{ currency: 'EUR', sum: '7' }]),
  ]
  const move = { record: record({ amount: { amount: '0.5', currency: 'USD' } }), from: 'Lead', to: 'Won' }
  expect(movedGroups(groups, move, amount)).toEqual([
    group('Lead', 1, [{ currency: 'USD', sum: '10' }]),
    group('Won', 2, [
      { currency: 'EUR', sum: '7' },
      { currency: 'USD', sum: '0.5' },
    ]),
  ])
})

test('a move back leaves what was there', () => {
  const groups = [group('Lead', 1, [{ currency: null, sum: '3' }]), group(null)]
  const move = { record: record({ seats: 3 }), from: 'Lead', to: null }
  const there = movedGroups(groups, move, seats)
  expect(there).toEqual([group('Lead', 0), group(null, 1, [{ currency: null, sum: '3' }])])
  expect(movedGroups(there, { ...move, from: null, to: 'Lead' }, seats)).toEqual(groups)
})
