import { expect, test } from 'vitest'
import { STEP_TYPES } from '../../../../contract/workflow-steps.ts'
import { findSteps, SHELVES } from './step-shelf.ts'

test('offers every type of step once', () => {
  expect(SHELVES.flatMap(({ types }) => types).toSorted()).toEqual(STEP_TYPES.toSorted())
})

test.each([
  ['', SHELVES.flatMap(({ types }) => types)],
  ['bran', ['branch']],
  ['for', ['for_each']],
  ['loop', ['for_each']],
  ['create rec', ['create_record', 'upsert_record']],
  ['if', ['condition', 'branch']],
])('the text %j finds %j first', (typed, expected) => {
  const found = findSteps(typed).flatMap(({ types }) => types)
  expect(found.slice(0, expected.length)).toEqual(expected)
})

test('an unknown word finds nothing', () => {
  expect(findSteps('invoice')).toEqual([])
})
