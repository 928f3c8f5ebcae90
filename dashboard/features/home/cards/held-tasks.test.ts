import { expect, test } from 'vitest'
import { provisional } from '../../activities/use-activity-changes.ts'
import { heldAfter, heldOnceSaved } from './held-tasks.ts'

const ADA = { id: 'ada', name: 'Ada', email: 'ada@example.com' }
const TASK = { ...provisional({ type: 'task', title: 'Call' }, ADA), id: 'call', version: 3 }
const DONE = { ...TASK, completedAt: '2026-06-10T12:00:00.000Z' }

test.each([
  ['done and not saved', { task: DONE }, 9, true],
  ['done, with an earlier answer', { task: DONE, version: 4 }, 3, true],
  ['done, with an answer without it', { task: DONE, version: 4 }, undefined, true],
  ['done, and opened again by an undo', { task: DONE, version: 4 }, 5, false],
  ['open again and not saved', { task: TASK }, 5, true],
  ['open again, with the answer of it', { task: TASK, version: 5 }, 5, false],
  ['open again, with an earlier answer', { task: TASK, version: 5 }, 3, true],
])('whether a task is held: %s', (_, one, answered, isHeld) => {
  const open = answered === undefined ? [] : [{ ...TASK, version: answered }]
  expect(heldAfter(new Map([['call', { ...one, place: 0 }]]), open).has('call')).toBe(isHeld)
})

test('a refused change is not held, and the result of an earlier change does not replace a later change', () => {
  const one = { task: DONE, place: 0 }
  const held = new Map([['call', one]])
  expect(heldOnceSaved(held, one, { ...DONE, version: 4 }).get('call')).toMatchObject({ version: 4 })
  expect([...heldOnceSaved(held, one, undefined)]).toEqual([])
  expect(heldOnceSaved(held, { ...one }, undefined)).toBe(held)
})
