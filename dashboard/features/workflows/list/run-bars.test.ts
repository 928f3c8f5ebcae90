import { expect, it } from 'vitest'
import type { RunStatus } from '../../../../contract/workflow-states.ts'
import { barsPhrase, runBars } from './run-bars.ts'

const run = (id: string, status: RunStatus, durationMs: number | null) => ({
  id,
  status,
  durationMs,
  createdAt: '2026-11-20T10:00:00.000Z',
})

it('sizes bars by duration: the median is half, with a minimum and a maximum', () => {
  const bars = runBars([
    run('a', 'completed', 10),
    run('b', 'failed', 86_400_000),
    run('c', 'completed', 1000),
    run('d', 'queued', null),
  ])
  expect(bars.map(({ size }) => size)).toEqual([0.25, 1, 0.5, 0.25])
  expect(bars[1]?.title).toMatch(/failed, 1 day$/)
  expect(bars[3]?.title).toMatch(/queued$/)
})

it('summarizes the last runs', () => {
  expect(barsPhrase([])).toBe('No runs yet')
  expect(barsPhrase([run('a', 'failed', 1)])).toBe('Last run: 1 failed')
  const runs = [
    run('a', 'failed', 1),
    run('b', 'completed', 1),
    run('c', 'completed', 1),
    run('d', 'waiting', null),
  ]
  expect(barsPhrase(runs)).toBe('Last 4 runs: 1 waiting, 2 completed, 1 failed')
})
