import { expect, test } from 'vitest'
import { countedAll } from './counted.ts'

test.each([
  [[[1, 'record']], '1 record'],
  [
    [
      [0, 'record'],
      [1204, 'view'],
    ],
    '1,204 views',
  ],
  [
    [
      [3, 'record'],
      [2, 'attribute'],
      [2, 'activity', 'activities'],
    ],
    '3 records, 2 attributes, and 2 activities',
  ],
  [[[0, 'record']], undefined],
] as const)('words for %j', (parts, words) => expect(countedAll(parts)).toBe(words))
