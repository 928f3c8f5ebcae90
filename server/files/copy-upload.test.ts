import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyUpload } from './copy-upload.ts'
import { giveBack } from './memory.ts'
import type { FileDraft } from './storage.ts'

const upTo = (bytesMax: number) => ({ bytesMax, count: () => undefined })
const MAX = 1_000_000

/** A draft in memory; `written` has the bytes of each write. */
function draft(onWrite: () => Promise<void> = async () => undefined) {
  const written: Buffer[] = []
  const events: string[] = []
  const opened: FileDraft = {
    async write(pieces) {
      written.push(Buffer.concat(pieces))
      events.push('write')
      await onWrite()
    },
    finish: async () => void events.push('finish'),
    publish: async () => undefined,
    discard: async () => undefined,
  }
  return { opened, written, events }
}

const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251))

test('writes pieces of any size in order, and then finishes the file', async () => {
  const size = fc.oneof(fc.nat(100), fc.nat(200_000))
  await fc.assert(
    fc.asyncProperty(fc.array(size, { maxLength: 8 }), async (sizes) => {
      const whole = bytes(sizes.reduce((sum, one) => sum + one, 0))
      let at = 0
      const pieces = sizes.map((one) => {
        at += one
        return whole.subarray(at - one, at)
      })
      const { opened, written, events } = draft()
      const copied = await copyUpload(opened, Readable.from(pieces, { objectMode: false }), upTo(2 * MAX))
      expect(copied.size).toBe(whole.length)
      expect(copied.head).toEqual(whole.subarray(0, copied.head.length))
      expect(Buffer.concat(written).equals(whole)).toBe(true)
      expect(events.at(-1)).toBe('finish')
    }),
    { numRuns: 100 },
  )
})

test('pauses the source while the disk is busy', async () => {
  const { promise: busy, resolve: free } = Promise.withResolvers<void>()
  const { opened, written } = draft(() => busy)
  let read = 0
  const source = Readable.from(
    (function* () {
      for (; read < 100; read++) yield Buffer.alloc(16 * 1024)
    })(),
    { objectMode: false },
  )
  const copied = copyUpload(opened, source, upTo(10 * MAX))
  await expect.poll(() => source.isPaused()).toBe(true)
  expect(written).toHaveLength(1)
  expect(read).toBeLessThan(32)
  free()
  expect((await copied).size).toBe(100 * 16 * 1024)
})

test('does not collect many small pieces while the disk is busy', async () => {
  const { promise: busy, resolve: free } = Promise.withResolvers<void>()
  const { opened, written } = draft(() => busy)
  let read = 0
  const source = Readable.from(
    (function* () {
      for (; read < 10_000; read++) yield Buffer.alloc(1)
    })(),
    { objectMode: false, highWaterMark: 1 },
  )
  const copied = copyUpload(opened, source, upTo(MAX))
  await expect.poll(() => source.isPaused()).toBe(true)
  expect(written).toHaveLength(1)
  expect(read).toBeLessThan(500)
  free()
  expect((await copied).size).toBe(10_000)
})

test('frees the memory of written pieces of a request, but not of other sources', async () => {
  const [ours, kept] = [Buffer.from(new ArrayBuffer(100_000)), Buffer.from(new ArrayBuffer(100_000))]
  const request = new IncomingMessage(new Socket())
  request.push(ours)
  request.push(null)
  await copyUpload(draft().opened, request, upTo(MAX))
  await copyUpload(draft().opened, Readable.from([kept], { objectMode: false }), upTo(MAX))
  expect([ours.length, kept.length]).toEqual([0, 100_000])
})

test.each([
  ['is too large', () => Readable.from([bytes(MAX), bytes(1)], { objectMode: false }), /at most/],
  ['breaks off', () => new Readable({ read: (): void => undefined }).destroy(), /connection was closed/],
  [
    'fails',
    () => new Readable({ read: (): void => undefined }).destroy(new Error('reset')),
    /connection was closed/,
  ],
])('does not finish the file of a source that %s', async (_, source, message) => {
  const { opened, events } = draft()
  await expect(copyUpload(opened, source(), upTo(MAX))).rejects.toThrow(message)
  expect(events).not.toContain('finish')
})

test('ends the copy if the disk fails', async () => {
  const { opened } = draft(() => Promise.reject(new Error('full')))
  const source = Readable.from([bytes(200_000), bytes(200_000)], { objectMode: false })
  await expect(copyUpload(opened, source, upTo(MAX))).rejects.toThrow('full')
  expect(source.isPaused()).toBe(true)
})

test('giveBack does not free shared memory', () => {
  const whole = bytes(10)
  giveBack(whole.subarray(0, 5))
  expect(whole).toEqual(bytes(10))
})
