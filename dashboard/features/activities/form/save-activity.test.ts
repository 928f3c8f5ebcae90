import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../shared/api/errors.ts'
import { activity } from '../activity.fixture.ts'
import { saveActivity } from './save-activity.ts'

const stale = () => new ApiError(412, { error: 'precondition_failed' })
const before = { body: activity(), etag: '"1"' }

/** Refuses the first write, because another person has changed the activity to `now`. */
function meanwhile(now: ReturnType<typeof activity>, choice: 'mine' | 'theirs' = 'mine') {
  const write = vi
    .fn()
    .mockRejectedValueOnce(stale())
    .mockImplementation(async (patch, etag) => ({ body: { ...now, ...patch }, etag }))
  const ask = vi.fn(async () => choice)
  return { before, write, ask, read: async () => ({ body: now, etag: '"2"' }) }
}

test('keeps a concurrent change of another field, without asking', async () => {
  const saving = meanwhile(activity({ summary: 'Pasta' }))
  const { saved, replaced } = await saveActivity({ ...saving, patch: { title: 'Dinner' } })
  expect(saving.ask).not.toHaveBeenCalled()
  expect(saving.write).toHaveBeenLastCalledWith({ title: 'Dinner' }, '"2"')
  expect(saved.body).toMatchObject({ title: 'Dinner', summary: 'Pasta' })
  expect(replaced).toEqual({ title: before.body.title })
})

test('mine: asks, then overwrites the concurrent value', async () => {
  const saving = meanwhile(activity({ title: 'Breakfast' }))
  const { replaced } = await saveActivity({ ...saving, patch: { title: 'Dinner' } })
  expect(replaced).toEqual({ title: 'Breakfast' })
  expect(saving.ask).toHaveBeenCalledWith(expect.objectContaining({ fields: ['title'] }))
  expect(saving.write).toHaveBeenLastCalledWith({ title: 'Dinner' }, '"2"')
})

test('theirs: keeps the concurrent value and saves the other fields', async () => {
  const saving = meanwhile(activity({ title: 'Breakfast' }), 'theirs')
  await saveActivity({ ...saving, patch: { title: 'Dinner', summary: 'Rice' } })
  expect(saving.write).toHaveBeenLastCalledWith({ summary: 'Rice' }, '"2"')
})

test('writes nothing if no changed field is left', async () => {
  const saving = meanwhile(activity({ title: 'Breakfast' }), 'theirs')
  const saved = await saving.read()
  expect(await saveActivity({ ...saving, patch: { title: 'Dinner' } })).toEqual({ saved, replaced: {} })
  expect(saving.write).toHaveBeenCalledTimes(1)
})

test('the replaced values include the fields that the service cleared', async () => {
  const task = activity({ type: 'task', assignee: 'ada', completedAt: '2026-05-01T10:00:00.000Z' })
  const note = { ...task, type: 'note' as const, assignee: null, completedAt: null }
  const write = vi.fn(async () => ({ body: note, etag: '"2"' }))
  const saving = { ...meanwhile(task), before: { body: task, etag: '"1"' }, write }
  const { replaced } = await saveActivity({ ...saving, patch: { type: 'note' } })
  expect(replaced).toEqual({ type: 'task', assignee: 'ada', completedAt: task.completedAt })
})
