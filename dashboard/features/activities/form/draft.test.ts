import { expect, test } from 'vitest'
import { activity } from '../activity.fixture.ts'
import { conflictsOf, draftOf, emptyDraft, newActivityOf, patchOf, withType } from './draft.ts'

const REF = { objectId: 'o1', recordId: 'r1' }

test('a note without a chosen date is sent without a date: the service sets the time', () => {
  expect(newActivityOf({ ...emptyDraft([REF]), title: ' Lunch ' })).toEqual({
    type: 'note',
    title: 'Lunch',
    summary: '',
    participants: [],
    linkedRecords: [REF],
  })
})

test('a task is due tomorrow at nine, unless a time was chosen', () => {
  const now = new Date('2026-11-30T18:20').getTime()
  expect(withType(emptyDraft(), 'task', now).when).toBe('2026-12-01T09:00')
  expect(withType({ ...emptyDraft(), when: '2026-12-24T18:00' }, 'task', now).when).toBe('2026-12-24T18:00')
  expect(withType(withType(emptyDraft(), 'task', now), 'call', now).when).toBe('')
})

test('only changed fields are sent; seconds, which the field cannot show, do not count as a change', () => {
  const before = activity({ activityDate: '2026-11-20T10:00:31.123Z', linkedRecords: [REF] })
  expect(patchOf(before, draftOf(before))).toEqual({})
  expect(patchOf(before, { ...draftOf(before), title: 'Dinner', linkedRecords: [] })).toEqual({
    title: 'Dinner',
    linkedRecords: [],
  })
})

test('clearing the date of a task removes its due date; without a due date nothing is sent', () => {
  const due = activity({ type: 'task', activityDate: '2026-11-24T09:00:00.000Z' })
  expect(patchOf(due, { ...draftOf(due), when: '' })).toEqual({ activityDate: due.createdAt })
  const undated = activity({ type: 'task' })
  expect(draftOf(undated).when).toBe('')
  expect(patchOf(undated, draftOf(undated))).toEqual({})
})

test('completing a task sends the current time, reopening sends null', () => {
  const open = activity({ type: 'task' })
  const done = activity({ type: 'task', completedAt: '2026-11-20T10:00:00.000Z' })
  expect(patchOf(open, { ...draftOf(open), isDone: true })).toEqual({
    completedAt: expect.stringMatching(/Z$/),
  })
  expect(patchOf(done, draftOf(done))).toEqual({})
  expect(patchOf(done, { ...draftOf(done), isDone: false })).toEqual({ completedAt: null })
})

test('two changes conflict only if both set the same field to different values', () => {
  const before = activity()
  const now = activity({ title: 'Dinner', summary: 'Pasta' })
  expect(conflictsOf(before, now, { type: 'call' })).toEqual([])
  expect(conflictsOf(before, now, { title: 'Dinner' })).toEqual([])
  expect(conflictsOf(before, now, { title: 'Breakfast', type: 'call' })).toEqual(['title'])
})
