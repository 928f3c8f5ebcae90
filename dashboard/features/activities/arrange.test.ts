import { expect, test } from 'vitest'
import { activity } from './activity.fixture.ts'
import type { Activity } from './api.ts'
import { arrange, groupByDay, happenedAt } from './arrange.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const ids = (activities: readonly Activity[]) => activities.map(({ id }) => id)

test('groups activities into overdue, upcoming and past, each in its order', () => {
  const at = (id: string, day: string, more: Partial<Activity> = {}) =>
    activity({ id, activityDate: `${day}T10:00:00.000Z`, ...more })
  const task = { type: 'task' } as const
  const done = { ...task, completedAt: '2026-11-20T09:00:00.000Z' }
  const { overdue, upcoming, past } = arrange(
    [
      at('far', '2026-12-24'),
      at('soon', '2026-11-22'),
      at('done early', '2026-11-25', done),
      at('to do', '2026-11-23', task),
      at('note', '2026-11-19'),
      at('late', '2026-11-18', task),
      at('call', '2026-11-21'),
      at('later', '2026-11-01', task),
      at('note', '2026-11-19'),
    ],
    NOW,
  )
  expect(ids(overdue)).toEqual(['later', 'late'])
  expect(ids(upcoming)).toEqual(['soon', 'to do', 'far'])
  expect(ids(past)).toEqual(['call', 'done early', 'note'])
})

test('tasks without a due date are not overdue: they come last in upcoming, the newest first', () => {
  const undated = (id: string, timestamp: string) =>
    activity({ id, type: 'task', activityDate: timestamp, createdAt: timestamp })
  const { overdue, upcoming } = arrange(
    [
      undated('older', '2026-11-19T10:00:00.000Z'),
      undated('newer', '2026-11-20T10:00:00.000Z'),
      activity({ id: 'meeting', type: 'meeting', activityDate: '2026-11-22T10:00:00.000Z' }),
    ],
    NOW,
  )
  expect(ids(overdue)).toEqual([])
  expect(ids(upcoming)).toEqual(['meeting', 'newer', 'older'])
})

test('a task that was done late stays on its due day', () => {
  const task = activity({
    type: 'task',
    activityDate: '2026-11-01T10:00:00.000Z',
    completedAt: '2026-11-09T10:00:00.000Z',
  })
  expect(happenedAt(task)).toBe('2026-11-01T10:00:00.000Z')
})

test('consecutive items of the same day form one group', () => {
  const timestamps = ['2026-11-21T12:00', '2026-11-21T01:00', '2026-11-20T23:59', '2026-11-21T00:00']
  expect(groupByDay(timestamps, (timestamp) => timestamp)).toEqual([
    { day: '2026-11-21', items: ['2026-11-21T12:00', '2026-11-21T01:00'] },
    { day: '2026-11-20', items: ['2026-11-20T23:59'] },
    { day: '2026-11-21', items: ['2026-11-21T00:00'] },
  ])
})
