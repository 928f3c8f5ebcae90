import { expect, test } from 'vitest'
import { partOf, problemWords, sentenceOf } from './problem-places.ts'

test.each([
  ['measures[1].field', 'show', { list: 'measures', index: 1 }],
  ['columns', 'show', undefined],
  ['source.objectId', 'show', undefined],
  ['joins[0].via', 'joins', { list: 'joins', index: 0 }],
  ['filters.and[0].value', 'filters', undefined],
  ['groupBy[2].timezone', 'groupBy', { list: 'groupBy', index: 2 }],
  ['having.key', 'then', undefined],
  ['sort[0].key', 'then', { list: 'sort', index: 0 }],
  ['chart.x', 'chart', undefined],
  ['', 'show', undefined],
] as const)('a problem at %s belongs to the sentence %s', (path, sentence, part) => {
  expect(sentenceOf({ path })).toBe(sentence)
  expect(partOf({ path })).toEqual(part)
})

test.each([
  ['columns', 'min_items', 'Choose at least one column'],
  ['measures', 'required', 'Choose what to measure, or what to group by'],
  [
    'filters.field',
    'unknown_alias',
    'This reads an object that is not joined: join it again, or remove this part',
  ],
  ['groupBy[0].timezone', 'invalid_time_zone', 'No time zone'],
])('the problem at %s with the code %s gets advice', (path, code, words) => {
  expect(problemWords({ path, code, message: 'no time zone' })).toBe(words)
})
