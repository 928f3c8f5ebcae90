import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addUnsaved } from '../api/unsaved-values.ts'
import { Refresh } from './refresh.ts'

const page = { hidden: false, querySelector: () => null }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A list that a page shows. */
function shown(read: () => Promise<number> = async () => 1) {
  const client = new QueryClient()
  const count = vi.fn(read)
  const queryKey = ['acme', 'records', 'deals', 'search', {}]
  const stop = new QueryObserver(client, {
    queryKey,
    queryFn: count,
    initialData: 0,
    staleTime: 60_000,
  }).subscribe(() => undefined)
  return { refresh: new Refresh(client, 'acme'), count, stop }
}

const news = (id: string) => ({
  changes: [{ type: 'record.updated' as const, objectId: null, ids: [id] }],
  id,
  spreadMs: 100,
})

test('ten thousand changes in ten seconds cause few reads', async () => {
  const { refresh, count, stop } = shown()
  for (let at = 0; at < 1000; at++) {
    for (let nr = 0; nr < 10; nr++) refresh.add(news(`${at} ${nr}`))
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(count.mock.calls.length).toBeGreaterThanOrEqual(2)
  expect(count.mock.calls.length).toBeLessThanOrEqual(6)
  stop()
})

test('each of several successive changes is read within a second', async () => {
  const { refresh, count, stop } = shown()
  for (let times = 1; times <= 10; times++) {
    refresh.add(news('one'))
    await vi.advanceTimersByTimeAsync(700)
    expect(count).toHaveBeenCalledTimes(times)
  }
  stop()
})

test('pages read at different times', async () => {
  const times = new Set<number>()
  const pages = Array.from({ length: 50 }, () => shown(async () => times.add(Date.now()).size))
  for (const { refresh } of pages) refresh.add(news('one'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(times.size).toBeGreaterThan(25)
  for (const { count, stop } of pages) {
    expect(count).toHaveBeenCalledTimes(1)
    stop()
  }
})

test('a change during a read causes one further read, and does not restart the slow read', async () => {
  const answers: (() => void)[] = []
  const { refresh, count, stop } = shown(() => new Promise((resolve) => answers.push(() => resolve(1))))
  refresh.add(news('one'))
  await vi.advanceTimersByTimeAsync(2000)
  expect(count).toHaveBeenCalledTimes(1)
  for (let times = 0; times < 10; times++) {
    refresh.add(news('two'))
    await vi.advanceTimersByTimeAsync(2000)
  }
  expect(count).toHaveBeenCalledTimes(1)
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(5000)
  expect(count).toHaveBeenCalledTimes(2)
  stop()
})

test('nothing is read while a value is being saved', async () => {
  const { refresh, count, stop } = shown()
  const settle = addUnsaved({ recordId: 'rocket', slug: 'name', value: 'Anvil' })
  refresh.add(news('rocket'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(count).not.toHaveBeenCalled()
  settle()
  await vi.advanceTimersByTimeAsync(1000)
  expect(count).toHaveBeenCalledTimes(1)
  stop()
})

test('a hidden page reads nothing', async () => {
  const { refresh, count, stop } = shown()
  vi.stubGlobal('document', { ...page, hidden: true })
  refresh.add('everything')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(count).not.toHaveBeenCalled()
  stop()
})
