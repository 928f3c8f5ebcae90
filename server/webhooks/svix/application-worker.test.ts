import { expect, test } from 'vitest'
import { type Classification, classifySvixError } from './application-worker.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const now = new Date('2026-11-20T10:00:00.000Z')
const classificationOf = (status: number | null, waiting = {}, retryAfter?: string) =>
  classifySvixError(
    { status, body: '', retryAfter, problem: 'a problem' },
    { tries: 0, giveUpInMs: 72 * HOUR_MS, ...waiting },
    // No jitter
    { now, random: () => 0.5 },
  )
const again = (inMs: number): Classification => ({ kind: 'again', inMs })

test.each([200, 202, 409])('%i means that Svix has the message', (status) => {
  expect(classificationOf(status)).toEqual({ kind: 'taken' })
})

test.each([400, 413, 422])('%i is not retried, because Svix rejects the message itself', (status) => {
  expect(classificationOf(status)).toEqual({ kind: 'refused' })
})

test.each([null, 301, 401, 402, 403, 404, 408, 429, 500, 502, 503])('%s is retried', (status) => {
  expect(classificationOf(status)).toEqual(again(5000))
})

test.each([
  [0, 5000],
  [1, 30_000],
  [2, 2 * MINUTE_MS],
  [3, 10 * MINUTE_MS],
  [4, 10 * MINUTE_MS],
  [300, 10 * MINUTE_MS],
])('after %i failed tries and another failure, the next try is in %i ms', (tries, inMs) => {
  expect(classificationOf(500, { tries })).toEqual(again(inMs))
})

test('Retry-After delays the next try', () => {
  expect(classificationOf(429, {}, '90')).toEqual(again(90_000))
  expect(classificationOf(429, { tries: 3 }, '90')).toEqual(again(10 * MINUTE_MS))
  expect(classificationOf(503, {}, 'Fri, 20 Nov 2026 11:00:00 GMT')).toEqual(again(HOUR_MS))
})

test('a try after the retry window is not made', () => {
  expect(classificationOf(500, { tries: 3, giveUpInMs: 10 * MINUTE_MS })).toEqual(again(10 * MINUTE_MS))
  expect(classificationOf(500, { tries: 3, giveUpInMs: 10 * MINUTE_MS - 1 })).toEqual({ kind: 'expired' })
  expect(classificationOf(202, { giveUpInMs: 0 })).toEqual({ kind: 'taken' })
})
