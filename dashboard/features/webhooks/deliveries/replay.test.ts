import { describe, expect, test } from 'vitest'
import type { Replay } from '../api/webhooks.ts'
import { formatAhead } from './ahead.ts'
import { toLocalField } from './log-filters.ts'
import { sinceOf } from './replay-since.ts'
import { isShown, replayText } from './replay-words.ts'

const NOW = Date.parse('2026-11-21T15:00:00.000Z')
const REACH = { now: NOW, days: 30 }
const ahead = (ms: number) => formatAhead(new Date(NOW + ms).toISOString(), NOW)
const field = (timestamp: string) => toLocalField(timestamp)

describe('the start time of a replay', () => {
  test('of a period is relative to now', () => {
    expect(sinceOf('hour', '', REACH)).toEqual({ since: '2026-11-21T14:00:00.000Z' })
  })

  test('is the exact time of the field', () => {
    const timestamp = '2026-11-20T10:00:00.000Z'
    expect(sinceOf('exact', field(timestamp), REACH)).toEqual({ since: timestamp })
  })

  test.each([
    ['', 'Choose a day and a time'],
    [field('2026-11-21T15:00:01.000Z'), 'Choose a time in the past'],
    [field('2026-10-22T14:59:59.000Z'), 'Choose a time in the last 30 days'],
  ])('%j is refused with a message', (text, problem) => {
    expect(sinceOf('exact', text, REACH)).toEqual({ problem })
  })
})

describe('the progress of a replay', () => {
  const replay = (part: Partial<Replay>) =>
    replayText({
      kind: 'failed',
      since: '2026-11-20T10:00:00.000Z',
      replayed: 0,
      state: 'running',
      ...part,
    } as Replay)

  test.each([
    [{ replayed: 1200 }, 'Replaying: 1,200 failed deliveries since '],
    [{ replayed: 1, state: 'completed' }, 'Replayed 1 failed delivery since '],
    [{ replayed: 2, state: 'completed', kind: 'missing' }, 'Replayed 2 missing events since '],
    [{ state: 'completed' }, 'Nothing to replay: no failed delivery since '],
    [{ replayed: 3, state: 'cancelled' }, 'Replay stopped after 3 failed deliveries since '],
  ] as const)('describes %j', (part, text) => {
    expect(replay(part)).toContain(text)
  })

  test('is shown for ten minutes after the end', () => {
    expect(isShown({ finishedAt: null }, NOW)).toBe(true)
    expect(isShown({ finishedAt: '2026-11-21T14:50:01.000Z' }, NOW)).toBe(true)
    expect(isShown({ finishedAt: '2026-11-21T14:50:00.000Z' }, NOW)).toBe(false)
  })
})

test.each([
  [-5000, 'now'],
  [5000, 'in 5 seconds'],
  [120_000, 'in 2 minutes'],
  [3 * 3_600_000, 'in 3 hours'],
  [67 * 3_600_000, 'in 3 days'],
])('formats %d ms in the future as %s', (ms, text) => {
  expect(ahead(ms)).toBe(text)
})
