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
  ['the first suitable attributes', null, 'stage', 'amount'],
  ['the attributes of the view', { groupBy: 'rating', sumOf: 'seats' }, 'rating', 'seats'],
  ['the attribute of the view, without a total', { groupBy: 'rating' }, 'rating', undefined],
  [
    'the first suitable attribute if one is missing',
    { groupBy: 'missing', sumOf: 'missing' },
    'stage',
    undefined,
  ],
  ['no attribute that is a list', { groupBy: 'tags' }, 'stage', undefined],
])('a board uses %s', (_, board, groupBy, sumOf) => {
  const found = boardAttributes(all, { board })
  expect([found?.groupBy.slug, found?.sumOf?.slug]).toEqual([groupBy, sumOf])
})

test('returns no board without a suitable attribute', () => {
  expect(boardAttributes([name, tags], { board: null })).toBeUndefined()
})

const group = (value: string | null, count = 0, sums: { currency: string | null; sum: string }[] = []) => ({
  value,
  count,
  sums,
})

test('lists columns by option order, then removed options, then records without a value', () => {
  expect(columnValues(stage, [group('Old', 1), group(null)])).toEqual(['Lead', 'Won', 'Old', null])
})

const owner = attribute('owner', 'member')
const ownedBy = (...names: string[]) => ({
  ...owner,
  members: new Map(names.map((one, place) => [`u${place}`, one])),
})

test('columns of members have their names, and former members have columns while they own records', () => {
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

test('with many members, only those with records have columns', () => {
  const groupBy = ownedBy(...Array.from({ length: 13 }, (_, place) => `Member ${place}`))
  expect(columnValues(groupBy, [group('u12', 1), group('u3', 2)])).toEqual(['u3', 'u12', null])
})

test('with a required attribute, the column without a value exists only while it has records', () => {
  const required = { ...stage, isRequired: true }
  expect(columnValues(required, [group(null, 0)])).toEqual(['Lead', 'Won'])
  expect(columnValues(required, [group(null, 2)])).toEqual(['Lead', 'Won', null])
})

test.each([
  ['nothing', [], ['Lead', 'Won']],
  ['no records', [group(null, 0)], ['Lead', 'Won']],
  ['records', [group(null, 2)], ['Lead', 'Won', null]],
])('shows the column without a value only if it has records; with %s: %j', (_, groups, shown) => {
  expect(columnsAtRest(['Lead', 'Won', null], groups)).toEqual(shown)
})

test('a phone first shows the first column with records', () => {
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

test('the filter of a column combines its value with the filter of the view', () => {
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

test('the owner is not among the fields of a card, because a picture shows it', () => {
  const withOwner = [{ ...name, isNaming: true }, ...all.slice(1), owner]
  expect(fieldChoices(withOwner, stage)).toEqual([tags, rating, amount, seats])
  expect(cardFields(withOwner, { board: null, columns: [{ slug: 'owner' }, { slug: 'seats' }] })).toEqual([
    seats,
  ])
})

test('cards show the chosen fields', () => {
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

test('a move also moves the amount, in the currency of the record', () => {
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

test('a move back restores counts and sums', () => {
  const groups = [group('Lead', 1, [{ currency: null, sum: '3' }]), group(null)]
  const move = { record: record({ seats: 3 }), from: 'Lead', to: null }
  const there = movedGroups(groups, move, seats)
  expect(there).toEqual([group('Lead', 0), group(null, 1, [{ currency: null, sum: '3' }])])
  expect(movedGroups(there, { ...move, from: null, to: 'Lead' }, seats)).toEqual(groups)
})
