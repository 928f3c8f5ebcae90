import { describe, expect, test } from 'vitest'
import { instead, listed, nearest, sentName, unknownAttribute } from './suggestions.ts'
import { allNames, toldNames } from './told-names.ts'

describe('the nearest name', () => {
  test.each([
    ['Name', ['email', 'name'], 'name'],
    ['AND', ['and', 'or'], 'and'],
    ['firstName', ['first_name', 'last_name'], 'first_name'],
    ['job-title', ['job_title'], 'job_title'],
    ['nmae', ['name', 'phone'], 'name'],
    ['emial', ['email'], 'email'],
    ['indstry', ['industry'], 'industry'],
    ['is_equal', ['equals'], undefined],
    ['amounts', ['account', 'amount'], 'amount'],
    ['record:read', ['records:read', 'records:write'], 'records:read'],
    ['id', ['is'], undefined],
    ['ab', ['abc'], undefined],
    ['', ['a'], undefined],
    ['§§', ['§§§'], undefined],
    ['x'.repeat(65), ['x'.repeat(65)], undefined],
    ['colour', ['name', 'stage'], undefined],
  ])('of %j among %j is %j', (name, known, near) => expect(nearest(name, known)).toBe(near))

  test('has as few edits as possible', () => {
    expect(nearest('closed_dat', ['close_dates', 'closed_date'])).toBe('closed_date')
  })

  test('is found among many long, similar names', () => {
    const known = Array.from({ length: 200 }, (_, index) => `${'ab'.repeat(30)}${index}`)
    expect(nearest(`${'ab'.repeat(30)}x199`, known)).toBe(`${'ab'.repeat(30)}199`)
  })
})

test('listed shows how many names are left out', () => {
  expect(listed(['a', 'b', 'c'], 3)).toBe('a, b, c')
  expect(listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more')
  const long = ['x'.repeat(200), 'y'.repeat(200), 'z'.repeat(200), 'a']
  expect(listed(long)).toBe(`${long[0]}, ${long[1]} and 2 more`)
  expect(listed(['x'.repeat(600), 'a'])).toBe(`${'x'.repeat(600)} and 1 more`)
})

test('instead suggests the nearest name, or all names', () => {
  expect(instead('Name', ['name', 'email'])).toBe('did you mean "name"?')
  expect(instead('x', ['name', 'email'])).toBe('use name, email')
  expect(instead(5, ['name', 'email'])).toBe('use name, email')
  expect(instead('x', [])).toBe('there is none yet')
})

test.each([
  ['x', '"x"'],
  ['y'.repeat(200), `"${'y'.repeat(100)}"`],
  ['a\u0000\ud800', '"a\ufffd\ufffd"'],
  [5, 'a number'],
  [false, 'true or false'],
  [null, 'nothing'],
  [undefined, 'nothing'],
  [[1], 'an array'],
  [{ a: 1 }, 'an object'],
])('sentName of %j is %s', (sent, name) => expect(sentName(sent)).toBe(name))

test('unknownAttribute names the unknown attribute, or the kind of another value', () => {
  expect(unknownAttribute('deals', 'Name', allNames(['name']))).toBe(
    'deals has no attribute "Name": did you mean "name"?',
  )
  expect(unknownAttribute('deals', 5, allNames(['name', 'stage']))).toBe(
    'must be the slug of an attribute of deals, not a number: use name, stage',
  )
  const untold = toldNames({ scopes: new Set(['views:write']) }, 'attributes', ['name'])
  expect(unknownAttribute('deals', 'Name', untold)).toBe(
    'deals has no attribute "Name": send the slug of an attribute of deals',
  )
  expect(unknownAttribute('deals', 5, untold)).toBe('must be the slug of an attribute of deals, not a number')
})
