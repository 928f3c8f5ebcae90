import { expect, test } from 'vitest'
import { headerProblems } from './header-problem.ts'

test.each([
  ['authorization', 'Bearer a.b-c', {}],
  ['X_Trace.1', '', {}],
  ['', 'a', { name: 'Enter a name' }],
  ['x y', 'a', { name: 'Letters, digits and hyphens only' }],
  ['x:', 'a', { name: 'Letters, digits and hyphens only' }],
  ['x-key', 'ü', { value: 'Letters without accents, digits and signs only' }],
  ['x-key', 'a\nb', { value: 'Letters without accents, digits and signs only' }],
  ['Tenant', 'a', { name: 'A header with this name already exists' }],
])('finds the problems of the header %s: %s', (name, value, problems) =>
  expect(headerProblems({ name, value }, ['tenant'])).toEqual({
    name: undefined,
    value: undefined,
    ...problems,
  }),
)
