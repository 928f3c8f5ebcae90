import { expect, test } from 'vitest'
import { codingOf, isCodingTaken } from './content-coding.ts'

test.each<[header: string | undefined, coding: string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['deflate, compress', undefined],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip ; q=0.2 , br ; q=0.8', 'br'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, *', 'br'],
  ['*', 'gzip'],
  ['gzip, *', 'gzip'],
  ['zstd, *', 'zstd'],
  ['gzip;q=0.5, *', 'br'],
  ['*;q=0', undefined],
  ['zstd;q=0, br;q=0, *;q=0.1', 'gzip'],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=much', undefined],
  ['gzipped, xgzip', undefined],
])('Accept-Encoding: %s → %s', (header, coding) => {
  expect(codingOf(header)).toBe(coding)
})

test.each<[header: string | undefined, taken: boolean]>([
  [undefined, false],
  ['br, gzip', true],
  ['br, gzip;q=0', false],
  ['*', true],
  ['identity', false],
])('gzip is accepted by Accept-Encoding: %s → %s', (header, taken) => {
  expect(isCodingTaken('gzip', header)).toBe(taken)
})
