import { expect, test } from 'vitest'
import { activity } from '../activity.fixture.ts'
import type { ActivityFilters } from '../api.ts'
import { isInList } from './matching.ts'

const task = activity({
  type: 'task',
  title: 'Send the OFFER',
  summary: 'to Anna',
  activityDate: '2026-11-20T10:00:00.000Z',
  linkedRecords: [{ objectId: 'o1', recordId: 'r1' }],
})

test.each<[ActivityFilters, boolean]>([
  [{}, true],
  [{ type: 'task' }, true],
  [{ type: 'call' }, false],
  [{ createdBy: 'u1' }, true],
  [{ createdBy: 'u2' }, false],
  [{ from: '2026-11-20T10:00:00.000Z' }, true],
  [{ to: '2026-11-20T10:00:00.000Z' }, false],
  [{ from: '2026-11-20T11:00:00+01:00' }, true],
  [{ recordId: 'r1', objectId: 'o1' }, true],
  [{ recordId: 'r2' }, false],
  [{ objectId: 'o2' }, false],
  [{ isOpen: true }, true],
  [{ isOpen: false }, false],
  [{ q: 'offer' }, true],
  [{ q: 'ANNA' }, true],
  [{ q: 'bob' }, false],
])('an open task matches the filters %j: %s', (filters, expected) => {
  expect(isInList(task, filters)).toBe(expected)
})

test('an activity that is not a task matches neither open nor done tasks', () => {
  expect(isInList(activity(), { isOpen: true })).toBe(false)
  expect(isInList(activity(), { isOpen: false })).toBe(false)
})
