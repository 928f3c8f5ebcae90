import { expect, test } from 'vitest'
import { BEAT_MS, Heartbeats, HUNG_MS } from './heartbeats.ts'

/** Calls `look` every second. @returns for each hanging process, the second in which it is found */
function watch(seconds: number, { beats, gaps = {} }: Watched): Map<string, number> {
  let now = 0
  const heartbeats = new Heartbeats<string>(() => now)
  const found = new Map<string, number>()
  for (let second = 0; second < seconds; second++) {
    now += BEAT_MS + (gaps[second] ?? 0)
    for (const [name, isHeard] of Object.entries(beats)) if (isHeard(second)) heartbeats.beat(name)
    for (const name of heartbeats.look()) if (!found.has(name)) found.set(name, second)
  }
  return found
}

interface Watched {
  beats: Record<string, (second: number) => boolean>
  /** Milliseconds before a second during which nothing ran. */
  gaps?: Record<number, number>
}

const always = () => true
const until = (last: number) => (second: number) => second <= last
const LIMIT = HUNG_MS / BEAT_MS

test('only a process that falls silent hangs, after the limit', () => {
  const found = watch(60, { beats: { 'api-1': always, 'api-2': until(4) } })
  expect([...found]).toEqual([['api-2', 4 + LIMIT + 1]])
})

test('a process that sends a beat again within the limit does not hang', () => {
  const isHeard = (second: number) => second < 5 || second > 5 + LIMIT - 2
  expect([...watch(60, { beats: { worker: isHeard } })]).toEqual([])
})

test('a process without a first beat is still starting', () => {
  expect([...watch(100, { beats: { worker: () => false } })]).toEqual([])
})

test('time during which the machine was suspended does not count', () => {
  const suspended = { 10: 3_600_000 }
  expect([...watch(60, { beats: { 'api-1': always }, gaps: suspended })]).toEqual([])
  const found = watch(60, { beats: { 'api-1': until(9) }, gaps: suspended })
  expect(found.get('api-1')).toBeGreaterThan(9 + LIMIT)
})

test('an ended process is forgotten', () => {
  let now = 0
  const heartbeats = new Heartbeats<string>(() => now)
  heartbeats.beat('api-1')
  heartbeats.forget('api-1')
  now += HUNG_MS + BEAT_MS
  expect(heartbeats.look()).toEqual([])
  expect(heartbeats.silenceOf('api-1')).toBeUndefined()
})
