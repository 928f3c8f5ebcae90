import { expect, it, test } from 'vitest'
import type { ReportRun } from '../api/reports.ts'
import { latestRun, longTime, runTook } from './run-times.ts'

const run = (id: string, status: ReportRun['status']): ReportRun => ({
  ...{ id, reportId: 'r', status, resultCount: 0, error: null },
  startedAt: '2026-11-20T10:00:00.000Z',
  completedAt: status === 'running' ? null : '2026-11-20T10:00:01.500Z',
})

it.each([
  ['no run', [], undefined],
  ['the newest run with results', [run('c', 'failed'), run('b', 'completed'), run('a', 'completed')], 'b'],
  ['results while another run is running', [run('b', 'running'), run('a', 'completed')], 'a'],
  ['the newest run if no run has results', [run('b', 'failed'), run('a', 'failed')], 'b'],
] as const)('shows %s', (_, runs, id) => {
  expect(latestRun(runs)?.id).toBe(id)
})

test('the duration of a run ends at its completion', () => {
  expect(runTook(run('a', 'completed'))).toBe(1500)
  expect(runTook(run('a', 'running'))).toBeUndefined()
})

it.each([
  [undefined, ''],
  [999, ''],
  [1500, '1.5 s'],
])('formats a duration from one second on: %s', (ms, words) => {
  expect(longTime(ms)).toBe(words)
})
