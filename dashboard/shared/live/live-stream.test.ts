import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LiveNews, LiveStream } from './live-stream.ts'

vi.mock('../api/session-guard.ts', () => ({ whenSignedIn: async () => undefined, sessionEnded: vi.fn() }))
vi.mock('../api/session.ts', () => ({ readVisitor: async () => ({}) }))

/** An event source whose messages the test sends. */
class Source extends EventTarget {
  static all: Source[] = []
  isClosed = false
  onopen: (() => void) | undefined
  onerror: (() => void) | undefined
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    Source.all.push(this)
  }
  close(): void {
    this.isClosed = true
  }
  say(name: string, data: object, lastEventId = ''): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data), lastEventId }))
  }
}

const last = () => Source.all.at(-1) as Source
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
  Source.all = []
  vi.stubGlobal('EventSource', Source)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function open() {
  const heard: LiveNews[] = []
  const stream = new LiveStream('acme', { lastId: '', hear: (news) => heard.push(news) })
  await settle()
  last().onopen?.()
  return { stream, heard }
}

test('a stream with beats stays open; a silent one is reopened after its last event', async () => {
  const { stream } = await open()
  last().say('changes', { changes: [], spreadMs: 0 }, 'event-7')
  for (let beats = 0; beats < 10; beats++) {
    await vi.advanceTimersByTimeAsync(15_000)
    last().say('beat', { spreadMs: 1000 })
  }
  expect(Source.all).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(45_000)
  expect(Source.all).toHaveLength(2)
  expect(Source.all[0]?.isClosed).toBe(true)
  expect(last().url).toContain('after=event-7')
  stream.close()
})

test('a stream that does not open is reopened, and then everything is read again', async () => {
  const heard: LiveNews[] = []
  const stream = new LiveStream('acme', { lastId: '', hear: (news) => heard.push(news) })
  await settle()
  await vi.advanceTimersByTimeAsync(39_000)
  expect(Source.all).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(5000)
  expect(Source.all).toHaveLength(2)
  expect(Source.all[0]?.isClosed).toBe(true)
  expect(heard).toEqual([])
  last().onopen?.()
  expect(heard[0]).toBe('everything')
  await vi.advanceTimersByTimeAsync(39_000)
  expect(Source.all).toHaveLength(2)
  stream.close()
})

test('when the service stops, its clients reconnect at different times', async () => {
  const streams: LiveStream[] = []
  for (let nr = 0; nr < 200; nr++) {
    const { stream } = await open()
    last().say('beat', { spreadMs: 20_000 })
    streams.push(stream)
  }
  await vi.advanceTimersByTimeAsync(15_000)
  for (const source of [...Source.all]) source.say('end', { reason: 'closing' })
  const counts: number[] = []
  for (let seconds = 0; seconds < 21; seconds++) {
    const before = Source.all.length
    await vi.advanceTimersByTimeAsync(1000)
    for (const source of Source.all.slice(before)) source.onopen?.()
    counts.push(Source.all.length - before)
  }
  expect(Source.all).toHaveLength(400)
  expect(Math.max(...counts)).toBeLessThan(40)
  for (const stream of streams) stream.close()
})
