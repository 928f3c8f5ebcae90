import { expect, test } from 'vitest'
import { phasesOf } from './timings.ts'

const names = (timings: Parameters<typeof phasesOf>[0]) => phasesOf(timings).map(({ name, ms }) => [name, ms])
const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }

test('a first request has every phase, and the rest is the answer', () => {
  expect(names({ dnsMs: 2, connectMs: 10, tlsMs: 20, firstByteMs: 60, totalMs: 100 })).toEqual([
    ['DNS', 2],
    ['Connect', 10],
    ['TLS', 20],
    ['First byte', 60],
    ['Answer', 8],
  ])
})

test('a connection that was open already has none of its own', () => {
  expect(names({ ...none, firstByteMs: 30, totalMs: 30 })).toEqual([['First byte', 30]])
})

test('what never answered was waited for', () => {
  expect(names({ ...none, dnsMs: 5, connectMs: 5, totalMs: 15_000 }).at(-1)).toEqual(['Waiting', 14_990])
})
