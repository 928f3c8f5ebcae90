import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { activity } from '../activity.fixture.ts'
import { type Activity, type ActivityFilters, activitiesQuery } from '../api.ts'
import { putActivity } from './lists.ts'

const on = (day: string, more: Partial<Activity> = {}) =>
  activity({ id: day, activityDate: `2026-11-${day}T10:00:00.000Z`, ...more })

/** A cached list with these pages; `hasMore`: another page exists but is not loaded. */
function cache(filters: ActivityFilters, pages: Activity[][], hasMore: boolean) {
  const client = new QueryClient()
  const { queryKey } = activitiesQuery('acme', filters)
  const cursor = (index: number) => (index < pages.length - 1 || hasMore ? { nextCursor: `${index}` } : {})
  client.setQueryData(queryKey, {
    pageParams: pages.map(() => undefined),
    pages: pages.map((activities, index) => ({
      activities,
      pagination: { limit: 2, offset: 0, ...cursor(index) },
    })),
  })
  const ids = () => client.getQueryData(queryKey)?.pages.map((page) => page.activities.map(({ id }) => id))
  return { client, ids }
}

test.each([
  [
    '21',
    [
      ['21', '20', '18'],
      ['16', '14'],
    ],
  ],
  [
    '19',
    [
      ['20', '19', '18'],
      ['16', '14'],
    ],
  ],
  [
    '17',
    [
      ['20', '18'],
      ['17', '16', '14'],
    ],
  ],
])('a new activity of the %sth is inserted by date', (day, expected) => {
  const { client, ids } = cache(
    {},
    [
      [on('20'), on('18')],
      [on('16'), on('14')],
    ],
    true,
  )
  putActivity(client, 'acme', 'new', on(day))
  expect(ids()).toEqual(expected)
})

test('does not insert an activity whose page is not loaded', () => {
  const { client, ids } = cache({}, [[on('20'), on('18')]], true)
  putActivity(client, 'acme', 'new', on('10'))
  expect(ids()).toEqual([['20', '18']])
})

test('appends the oldest activity to a completely loaded list', () => {
  const { client, ids } = cache({}, [[on('20')]], false)
  putActivity(client, 'acme', 'new', on('10'))
  expect(ids()).toEqual([['20', '10']])
})

test('removes a completed task from lists of open tasks, and a deleted task from every list', () => {
  const task = on('20', { type: 'task' })
  const { client, ids } = cache({ isOpen: true }, [[task, on('18', { type: 'task' })]], false)
  putActivity(client, 'acme', '20', { ...task, completedAt: task.activityDate })
  expect(ids()).toEqual([['18']])
  putActivity(client, 'acme', '18')
  expect(ids()).toEqual([[]])
})
