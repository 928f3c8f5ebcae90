import { expect, test } from 'vitest'
import { fromLocalInput, toLocalInput } from '../../shared/values/local-input.ts'
import { dayInSentence, dayTitle, startOfDay } from './days.ts'

test.each([
  ['2026-11-21', 'Today'],
  ['2026-11-20', 'Yesterday'],
  ['2026-11-22', 'Tomorrow'],
])('the title of %s is %s on 2026-11-21', (day, title) => {
  expect(dayTitle(day, '2026-11-21')).toBe(title)
})

test.each([
  ['2026-11-21T23:59', 'today'],
  ['2026-11-20T08:00', 'yesterday'],
  ['2026-11-24T08:00', 'Tue, Nov 24'],
])('a task due at %s is due %s on 2026-11-21', (local, words) => {
  const [date, now] = [new Date(local), new Date('2026-11-21T12:00')]
  expect(dayInSentence(date.toISOString(), now.getTime())).toBe(words)
})

test('the title contains the year only if it is not the current year', () => {
  expect(dayTitle('2026-03-02', '2026-11-21')).not.toContain('2026')
  expect(dayTitle('2025-03-02', '2026-11-21')).toContain('2025')
})

test('a time survives the round trip through its input field, to the minute', () => {
  const timestamp = '2026-03-29T10:30:00.000Z'
  expect(fromLocalInput(toLocalInput(timestamp))).toBe(timestamp)
})

test.each(['', '2026-11-31T99:00', 'tomorrow'])('%j is not a valid time', (text) => {
  expect(fromLocalInput(text)).toBeUndefined()
})

test('days begin at local midnight, and the next day can be in the next month', () => {
  expect(startOfDay('2026-02-28', 1)).toBe(new Date('2026-03-01T00:00').toISOString())
  expect(startOfDay('2026-13-01')).toBeUndefined()
})
