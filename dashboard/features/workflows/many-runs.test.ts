import { expect, it } from 'vitest'
import { progressOf, progressWords } from './many-runs.ts'

const listed = [
  { id: 'other', status: 'failed' as const },
  { id: 'a', status: 'completed' as const },
  { id: 'b', status: 'running' as const },
  { id: 'c', status: 'cancelled' as const },
]

it('counts only the started runs', () => {
  const progress = progressOf(['a', 'b', 'c', 'd'], listed)
  expect(progress).toEqual({ total: 4, over: 2, completed: 1, failed: 1 })
  expect(progressWords(progress)).toBe('2 of 4 runs finished: 1 completed, 1 failed')
})

it('describes the end of all runs', () => {
  expect(progressWords(progressOf(['a'], listed))).toBe('The run is finished: 1 completed')
  expect(progressWords(progressOf(['a', 'c'], listed))).toBe('All 2 runs are finished: 1 completed, 1 failed')
  expect(progressWords(progressOf(['b'], listed))).toBe('0 of 1 run finished')
})
