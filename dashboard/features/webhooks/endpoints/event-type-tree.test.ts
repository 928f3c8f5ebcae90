import { expect, test } from 'vitest'
import { EVENT_TYPES, type EventType } from '../../../../contract/events.ts'
import {
  ALL_TYPES,
  BRANCHES,
  boxOf,
  type ChosenTypes,
  summarizeTypes,
  toggled,
  verbOf,
} from './event-type-tree.ts'

const RECORDS: EventType[] = ['record.created', 'record.updated', 'record.deleted']

test('every type is in one branch', () => {
  expect(BRANCHES.flatMap(({ types }) => types).toSorted()).toEqual(Object.keys(EVENT_TYPES).toSorted())
})

test('a type is named by its verb', () => expect(verbOf('workflow.completed')).toBe('Completed'))

test.each([
  [null, 'checked'],
  [[], 'unchecked'],
  [['record.updated'], 'some'],
  [RECORDS, 'checked'],
  [['activity.created'], 'unchecked'],
] satisfies [ChosenTypes, string][])('of %j the box of records is %s', (chosen, box) =>
  expect(boxOf(chosen, RECORDS)).toBe(box),
)

test.each([
  ['one of all', null, ['record.updated'], ALL_TYPES.filter((type) => type !== 'record.updated')],
  ['a group in part becomes whole', ['record.deleted'], RECORDS, RECORDS],
  ['a whole group goes', [...RECORDS, 'activity.created'], RECORDS, ['activity.created']],
  ['all of none', [], ALL_TYPES, null],
  ['all of all', null, ALL_TYPES, []],
  ['the last one makes it all', ALL_TYPES.slice(1), ['record.created'], null],
  [
    'in the order of the specification',
    ['activity.created'],
    ['record.created'],
    ['record.created', 'activity.created'],
  ],
] satisfies [string, ChosenTypes, EventType[], ChosenTypes][])('%s', (_name, chosen, types, after) =>
  expect(toggled(chosen, types)).toEqual(after),
)

test.each([
  [null, 'All events'],
  [['activity.created', ...RECORDS], 'Records, activity.created'],
  [['record.created', 'record.deleted'], 'record.created, record.deleted'],
  [[], 'No events'],
] satisfies [ChosenTypes, string][])('%j is told as %s', (chosen, words) =>
  expect(summarizeTypes(chosen)).toBe(words),
)
