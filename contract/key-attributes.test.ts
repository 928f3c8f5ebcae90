import { expect, test } from 'vitest'
import type { Attribute } from './attributes.ts'
import { keyAttributes } from './key-attributes.ts'

const attributes = (count: number, required: readonly number[] = []) =>
  Array.from({ length: count }, (_, place) => ({ slug: `a${place}`, isRequired: required.includes(place) }))

const keys = (all: object[]) => keyAttributes(all as Attribute[]).map(({ slug }) => slug)

test('the first six attributes of an object are key attributes', () => {
  expect(keys(attributes(8))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5'])
  expect(keys(attributes(2))).toEqual(['a0', 'a1'])
})

test('all required attributes are key attributes and replace the last optional ones', () => {
  expect(keys(attributes(8, [7]))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a7'])
  expect(keys(attributes(8, [0, 1, 2, 3, 4, 5, 7]))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a7'])
})
