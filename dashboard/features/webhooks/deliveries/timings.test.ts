import { expect, test } from 'vitest'
import { phasesOf } from './timings.ts'

const listed = (timings: Parameters<typeof phasesOf>[0]) =>
  phasesOf(timings).map(({ name, ms }) => [name, ms])
const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }

test('a request with a new connection has all phases, which add up to the total', () => {
  expect(listed({ dnsMs: 2, connectMs: 10, tlsMs: 20, firstByteMs: 92, totalMs: 100 })).toEqual([
    ['DNS', 2],
    ['Connect', 10],
    ['TLS', 20],
    ['Waiting', 60],
    ['Reading', 8],
  ])
})

test('a request on an open connection has no connection phases', () => {
  expect(listed({ ...none, firstByteMs: 30, totalMs: 30 })).toEqual([['Waiting', 30]])
})

test('without a response, the rest of the time is waiting', () => {
  expect(listed({ ...none, dnsMs: 5, connectMs: 5, totalMs: 15_000 }).at(-1)).toEqual(['Waiting', 14_990])
})

test('omits a phase that would be negative due to inexact clocks', () => {
  expect(listed({ ...none, connectMs: 10.1, firstByteMs: 10, totalMs: 10.2 }).map(([name]) => name)).toEqual([
    'Connect',
    'Reading',
  ])
})
