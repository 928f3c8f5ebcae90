import { expect, test } from 'vitest'
import { phasesOf } from './timings.ts'

const listed = (timings: Parameters<typeof phasesOf>[0]) =>
  phasesOf(timings).map(({ name, ms }) => [name, ms])
const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }

test('a first request has every phase, and together they are the whole', () => {
  expect(listed({ dnsMs: 2, connectMs: 10, tlsMs: 20, firstByteMs: 92, totalMs: 100 })).toEqual([
    ['DNS', 2],
    ['Connect', 10],
    ['TLS', 20],
    ['Waiting', 60],
    ['Reading', 8],
  ])
})

test('a connection that was already open has no phases of connecting', () => {
  expect(listed({ ...none, firstByteMs: 30, totalMs: 30 })).toEqual([['Waiting', 30]])
})

test('what never answered was waited for', () => {
  expect(listed({ ...none, dnsMs: 5, connectMs: 5, totalMs: 15_000 }).at(-1)).toEqual(['Waiting', 14_990])
})

test('clocks that disagree by a little make no phase of less than nothing', () => {
  expect(listed({ ...none, connectMs: 10.1, firstByteMs: 10, totalMs: 10.2 }).map(([name]) => name)).toEqual([
    'Connect',
    'Reading',
  ])
})
