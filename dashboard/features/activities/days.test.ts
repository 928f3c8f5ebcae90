import { expect, test } from 'vitest'
import { fromLocalInput, toLocalInput } from '../../shared/values/local-input.ts'
import { dayInSentence, dayTitle, startOfDay } from './days.ts'

test.each([
  ['2026-11-21', 'Today'],
  ['2026-11-20', 'Yesterday'],
  ['2026-11-22', 'Tomorrow'],
])('%s is called %s on 2026-11-21', (day, title) => {
  expect(dayTitle(day, '2026-11-21')).toBe(title)
})

test.each([
  ['2026-11-21T23:59', 'today'],
  ['2026-11-20T08:00', 'yesterday'],
  ['2026-11-24T08:00', 'Tue, Nov 24'],
])('a task due at %s is due %s on 2026-11-21', (local, words) => {
  const [moment, now] = [new Date(local), new Date('2026-11-21T12:00')]
  expect(dayInSentence(moment.toISOString(), now.getTime())).toBe(words)
})

test('the year is named when it is another one', () => {
  expect(dayTitle('2026-03-02', '2026-11-21')).not.toContain('2026')
  expect(dayTitle('2025-03-02', '2026-11-21')).toContain('2025')
})

test('a moment survives the field it is edited in, to the minute', () => {
  const moment = '2026-03-29T10:30:00.000Z'
  expect(fromLocalInput(toLocalInput(moment))).toBe(moment)
})

test.each(['', '2026-11-31T99:00', 'tomorrow'])('%j is no moment', (text) => {
  expect(fromLocalInput(text)).toBeUndefined()
})

test('days begin at midnight here, and the next one after months end', () => {
  expect(startOfDay('2026-02-28', 1)).toBe(new Date('2026-03-01T00:00').toISOString())
  expect(startOfDay('2026-13-01')).toBeUndefined()
})
