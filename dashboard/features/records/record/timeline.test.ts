import { expect, test } from 'vitest'
import type { Attribute } from '../../../shared/api/objects.ts'
import { activity } from '../../activities/activity.fixture.ts'
import type { HistoryEntry } from '../api/history.ts'
import { countChanges, movesOf, timelineOf } from './timeline.ts'

const ADA = { id: 'u1', name: 'Ada', email: 'ada@example.com' }
const BOB = { id: 'u2', name: 'Bob', email: 'bob@example.com' }

const change = (id: string, at: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...{
    id,
    recordId: 'r1',
    type: 'record.updated',
    version: 2,
    at,
    actor: ADA,
    apiKey: null,
    workflow: null,
    restores: null,
    mergedIds: null,
  },
  changes: { stage: { from: 'Lead', to: 'Won' } },
  ...more,
})
const note = (id: string, at: string) => activity({ id, activityDate: at })

const read = (
  notes: ReturnType<typeof note>[],
  entries: HistoryEntry[],
  more: [boolean, boolean] = [false, false],
) =>
  timelineOf(notes, { items: notes, hasMore: more[0] }, { items: entries, hasMore: more[1] }).map((item) =>
    item.kind === 'activity' ? item.id : item.entries.map(({ id }) => id),
  )

test('folds consecutive changes by the same person on the same day', () => {
  const entries = [
    change('c5', '2026-11-20T12:05:00.000Z'),
    change('c4', '2026-11-20T12:04:00.000Z', { actor: BOB }),
    change('c3', '2026-11-20T12:03:00.000Z'),
    change('c2', '2026-11-20T12:02:00.000Z'),
    change('c1', '2026-11-18T12:01:00.000Z'),
  ]
  expect(read([], entries)).toEqual([['c5'], ['c4'], ['c3', 'c2'], ['c1']])
  const between = note('n1', '2026-11-20T12:02:30.000Z')
  expect(read([between], entries)).toEqual([['c5'], ['c4'], ['c3'], 'n1', ['c2'], ['c1']])
})

test('does not fold changes by a person, an API key and a workflow together', () => {
  const apiKey = { id: 'k1', name: 'Sync' }
  const workflow = { id: 'w1', name: 'Tidy' }
  const entries = [
    change('c3', '2026-11-20T12:03:00.000Z', { workflow }),
    change('c2', '2026-11-20T12:02:00.000Z', { apiKey }),
    change('c1', '2026-11-20T12:01:00.000Z'),
  ]
  expect(read([], entries)).toEqual([['c3'], ['c2'], ['c1']])
})

test('hides items that are older than the loaded part of either list', () => {
  const notes = [note('n2', '2026-11-20T10:00:00.000Z'), note('n1', '2026-11-10T10:00:00.000Z')]
  const entries = [change('c2', '2026-11-19T10:00:00.000Z'), change('c1', '2026-11-15T10:00:00.000Z')]
  expect(read(notes, entries, [false, true])).toEqual(['n2', ['c2'], ['c1']])
  expect(read(notes, entries, [true, false])).toEqual(['n2', ['c2'], ['c1'], 'n1'])
  expect(read(notes, entries)).toEqual(['n2', ['c2'], ['c1'], 'n1'])
})

test('hides a change of deleted attributes', () => {
  expect(read([], [change('c1', '2026-11-20T12:01:00.000Z', { changes: {} })])).toEqual([])
})

test('counts every changed value, and a creation as one change', () => {
  const two = { a: { from: 1, to: 2 }, b: { from: 1, to: 2 } }
  expect(countChanges([change('c2', '', { changes: two }), change('c1', '', { changes: null })])).toBe(3)
})

test('describes moves of a select from the first to the last value of the fold', () => {
  const stage = { slug: 'stage', name: 'Stage', type: 'select', isList: false } as Attribute
  const from = (earlier: unknown, later: unknown) => ({ changes: { stage: { from: earlier, to: later } } })
  const entries = (...moves: object[]) =>
    moves.map((one, place) => change(`c${place}`, '2026-11-20T12:00:00.000Z', one))
  expect(movesOf(entries(from('Qualified', 'Won'), from('Lead', 'Qualified')), [stage])).toBe(
    'Stage Lead → Won',
  )
  expect(movesOf(entries(from(null, 'Lead')), [stage])).toBe('Stage none → Lead')
  expect(movesOf(entries(from('Won', 'Lead'), from('Lead', 'Won')), [stage])).toBe('')
  expect(movesOf(entries({ changes: { name: { from: 'A', to: 'B' } } }), [stage])).toBe('')
})
