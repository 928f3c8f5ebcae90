import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../shared/api/errors.ts'
import { activity } from '../activity.fixture.ts'
import { saveActivity } from './save-activity.ts'

const stale = () => new ApiError(412, { error: 'precondition_failed' })
const before = { body: activity(), etag: '"1"' }

/** The first write is refused: another person has made it `now` meanwhile. */
function meanwhile(now: ReturnType<typeof activity>, choice: 'mine' | 'theirs' = 'mine') {
  const write = vi
    .fn()
    .mockRejectedValueOnce(stale())
    .mockImplementation(async (patch, etag) => ({ body: { ...now, ...patch }, etag }))
  const ask = vi.fn(async () => choice)
  return { before, write, ask, read: async () => ({ body: now, etag: '"2"' }) }
}

test('what another person changed elsewhere stays, without a question', async () => {
  const saving = meanwhile(activity({ summary: 'Pasta' }))
  const { saved, replaced } = await saveActivity({ ...saving, patch: { title: 'Dinner' } })
  expect(saving.ask).not.toHaveBeenCalled()
  expect(saving.write).toHaveBeenLastCalledWith({ title: 'Dinner' }, '"2"')
  expect(saved.body).toMatchObject({ title: 'Dinner', summary: 'Pasta' })
  expect(replaced).toEqual({ title: before.body.title })
})

test('mine: the same field is written over, once it was asked', async () => {
  const saving = meanwhile(activity({ title: 'Breakfast' }))
  const { replaced } = await saveActivity({ ...saving, patch: { title: 'Dinner' } })
  expect(replaced).toEqual({ title: 'Breakfast' })
  expect(saving.ask).toHaveBeenCalledWith(expect.objectContaining({ fields: ['title'] }))
  expect(saving.write).toHaveBeenLastCalledWith({ title: 'Dinner' }, '"2"')
})

test('theirs: that field stays, the others are still saved', async () => {
  const saving = meanwhile(activity({ title: 'Breakfast' }), 'theirs')
  await saveActivity({ ...saving, patch: { title: 'Dinner', summary: 'Rice' } })
  expect(saving.write).toHaveBeenLastCalledWith({ summary: 'Rice' }, '"2"')
})

test('nothing left to save writes nothing', async () => {
  const saving = meanwhile(activity({ title: 'Breakfast' }), 'theirs')
  const saved = await saving.read()
  expect(await saveActivity({ ...saving, patch: { title: 'Dinner' } })).toEqual({ saved, replaced: {} })
  expect(saving.write).toHaveBeenCalledTimes(1)
})

test('what the service cleared along is among the replaced values', async () => {
  const task = activity({ type: 'task', assignee: 'ada', completedAt: '2026-05-01T10:00:00.000Z' })
  const note = { ...task, type: 'note' as const, assignee: null, completedAt: null }
  const write = vi.fn(async () => ({ body: note, etag: '"2"' }))
  const saving = { ...meanwhile(task), before: { body: task, etag: '"1"' }, write }
  const { replaced } = await saveActivity({ ...saving, patch: { type: 'note' } })
  expect(replaced).toEqual({ type: 'task', assignee: 'ada', completedAt: task.completedAt })
})
