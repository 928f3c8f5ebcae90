import { expect, test } from 'vitest'
import { provisional } from '../../activities/use-activity-changes.ts'
import { heldAfter } from './held-tasks.ts'

const ADA = { id: 'ada', name: 'Ada', email: 'ada@example.com' }
const TASK = { ...provisional({ type: 'task', title: 'Call' }, ADA), id: 'call', version: 3 }
const DONE = new Map([['call', { task: { ...TASK, completedAt: '2026-06-10T12:00:00.000Z' }, place: 0 }]])

test.each([
  ['an answer from before it was checked off', [TASK], ['call']],
  ['it is done', [], ['call']],
  ['it is open again', [{ ...TASK, version: 5 }], []],
  ['another one is open', [{ ...TASK, id: 'write', version: 9 }], ['call']],
])('a task that was checked off, after %s', (_, open, held) =>
  expect([...heldAfter(DONE, open).keys()]).toEqual(held),
)
