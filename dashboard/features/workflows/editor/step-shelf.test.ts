import { expect, test } from 'vitest'
import { STEP_TYPES } from '../../../../contract/workflow-steps.ts'
import { findSteps, SHELVES } from './step-shelf.ts'

test('every step is offered once', () => {
  expect(SHELVES.flatMap(({ types }) => types).toSorted()).toEqual(STEP_TYPES.toSorted())
})

test.each([
  ['', SHELVES.flatMap(({ types }) => types)],
  ['bran', ['branch']],
  ['for', ['for_each']],
  ['loop', ['for_each']],
  ['create rec', ['create_record', 'upsert_record']],
  ['if', ['condition', 'branch']],
])('%j finds %j before all others', (typed, expected) => {
  const found = findSteps(typed).flatMap(({ types }) => types)
  expect(found.slice(0, expected.length)).toEqual(expected)
})

test('what is nothing of the kind finds nothing', () => {
  expect(findSteps('invoice')).toEqual([])
})
