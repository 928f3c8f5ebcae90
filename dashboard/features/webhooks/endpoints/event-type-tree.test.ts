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

test('every event type is in exactly one branch', () => {
  expect(BRANCHES.flatMap(({ types }) => types).toSorted()).toEqual(Object.keys(EVENT_TYPES).toSorted())
})

test('the label of a type is its verb', () => expect(verbOf('workflow.completed')).toBe('Completed'))

test.each([
  [null, 'checked'],
  [[], 'unchecked'],
  [['record.updated'], 'some'],
  [RECORDS, 'checked'],
  [['activity.created'], 'unchecked'],
] satisfies [ChosenTypes, string][])('with %j chosen, the checkbox of records is %s', (chosen, box) =>
  expect(boxOf(chosen, RECORDS)).toBe(box),
)

test.each([
  ['a type of all types', null, ['record.updated'], ALL_TYPES.filter((type) => type !== 'record.updated')],
  ['a partly chosen group, which becomes complete', ['record.deleted'], RECORDS, RECORDS],
  ['a complete group, which is removed', [...RECORDS, 'activity.created'], RECORDS, ['activity.created']],
  ['all types with none chosen', [], ALL_TYPES, null],
  ['all types with all chosen', null, ALL_TYPES, []],
  ['the last missing type, which gives null', ALL_TYPES.slice(1), ['record.created'], null],
  [
    'a type, which is inserted in specification order',
    ['activity.created'],
    ['record.created'],
    ['record.created', 'activity.created'],
  ],
] satisfies [string, ChosenTypes, EventType[], ChosenTypes][])('toggles %s', (_name, chosen, types, after) =>
  expect(toggled(chosen, types)).toEqual(after),
)

test.each([
  [null, 'All events'],
  [['activity.created', ...RECORDS], 'Records, activity.created'],
  [['record.created', 'record.deleted'], 'record.created, record.deleted'],
  [[], 'No events'],
] satisfies [ChosenTypes, string][])('summarizes %j as %s', (chosen, words) =>
  expect(summarizeTypes(chosen)).toBe(words),
)
