import { describe, expect, test } from 'vitest'
import { certainUntil, gapText, missingSegments, reachedBy } from './gaps.ts'
import { leastRecordEnd } from './wal-archive.ts'

const segmentBytes = 16 * 1024 * 1024
const backup = {
  ...{ startLsn: '0/2000028', endLsn: '0/3000000', endedAt: '2026-11-26T03:00:00.000Z' },
  ...{ timeline: 1, segmentBytes },
}
const later = { ...backup, startLsn: '0/4000028', endLsn: '0/4000100', endedAt: '2026-11-27T03:00:00.000Z' }
const name = (segment: number) => `0000000100000000${segment.toString(16).toUpperCase().padStart(8, '0')}`
const names = (...segments: number[]) => new Set(segments.map(name))

describe('missing segments', () => {
  test.each([
    ['none', '0/5000100', [2, 3, 4, 5], []],
    ['in the middle', '0/5000100', [2, 3, 5], [4]],
    ['at the end', '0/5000100', [2, 3, 4], [5]],
    ['none after a segment that is full', '0/5000000', [2, 3, 4], []],
    ['several', '0/6000100', [2, 6], [3, 4, 5]],
  ])('%s', (_, lsn, stored, missing) => {
    expect(missingSegments(backup, { lsn }, names(...stored))).toEqual(missing.map(name))
  })

  test('are described in words', () => {
    expect(gapText([name(4)])).toBe(`${name(4)} is missing`)
    expect(gapText([name(4), name(6)])).toBe(`2 objects from ${name(4)} to ${name(6)} are missing`)
  })

  test.each([
    ['after the next backup', 5, later.endedAt],
    ['before the next backup', 3, backup.endedAt],
    ['that the backup itself needs', 2, null],
  ])('%s: the time until which the backup can certainly be restored', (_, missing, until) => {
    expect(certainUntil(backup, name(missing), [backup, later])).toBe(until)
  })
})

test('the last record may end before the stored log if that ends with a page or a page header', () => {
  const at = '2026-11-26T03:00:00.000Z'
  expect(leastRecordEnd({ at, lsn: '0/5002000', recordEnd: '0/5001F00' })).toBe(0x5001f00n)
  expect(leastRecordEnd({ at, lsn: '0/5002000' })).toBeUndefined()
  expect(leastRecordEnd({ at, lsn: '0/5001F00' })).toBe(0x5001f00n)
})

describe('how far a restore came', () => {
  const [eleven, noon] = ['2026-11-26T11:00:00.000Z', '2026-11-26T12:00:00.000Z']
  const lastSeen = '2026-11-26T10:30:00.000Z'
  const head = { lsn: '0/5000100', recordEnd: '0/5000100', at: noon }
  const whole = { to: undefined, isReached: false, head, problems: [], replayedTo: '0/5000100', lastSeen }
  const to = new Date(eleven)
  test.each([
    ['to the end of the archive', whole, [], noon],
    [
      'to a problem',
      { ...whole, problems: ['A is missing', 'B is torn'] },
      ['A is missing', 'B is torn'],
      lastSeen,
    ],
    [
      'to records that cannot be read',
      { ...whole, replayedTo: '0/4FFFF00' },
      ['the log cannot be read after 0/4FFFF00, and was archived up to 0/5000100'],
      lastSeen,
    ],
    ['to a time without a later commit', { ...whole, to }, [], eleven],
    ['to a time before a problem', { ...whole, to, isReached: true, problems: ['A is missing'] }, [], eleven],
    [
      'not to a time after a problem',
      { ...whole, to, problems: ['A is missing'] },
      ['A is missing'],
      lastSeen,
    ],
    [
      'not to a time after the archive',
      { ...whole, to: new Date('2026-11-26T13:00:00Z') },
      [`the archive ends at ${noon}, before the wanted time`],
      noon,
    ],
  ])('%s', (_, replayed, gaps, until) => {
    expect(reachedBy(replayed)).toEqual({ gaps, until })
  })
})
