// The guide to the API has every type of attributes and every operator.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ATTRIBUTE_TYPES, TYPE_CONTRACTS } from './attribute-types.ts'
import { FILTER_OPERATORS, OPERATOR_SHAPES, SEARCH_OPERATORS } from './operators.ts'

const guide = readFileSync(new URL('../docs/guide/api.md', import.meta.url), 'utf8')

/** Rows `| text, email | equals, contains (has the element) |`: the names in the first two cells. */
const rows = guide.split('\n').flatMap((line) => {
  const [, types, operators] = /^\| ([a-z_, ]+) \| (.+) \|$/.exec(line) ?? []
  return types && operators
    ? { types: types.split(', '), operators: operators.replaceAll(/ \([^)]*\)/g, '').split(', ') }
    : []
})

test.each(ATTRIBUTE_TYPES)('says in which form values of type %s are', (type) => {
  expect(guide).toContain(`\n| \`${type}\` | `)
})

test.each(ATTRIBUTE_TYPES)('says which operators the type %s has', (type) => {
  const named = rows.filter(({ types }) => types.includes(type)).flatMap(({ operators }) => operators)
  const known = TYPE_CONTRACTS[type].operators
  expect(named.filter((one) => FILTER_OPERATORS.some((operator) => operator === one)).toSorted()).toEqual(
    known.filter((operator) => FILTER_OPERATORS.includes(operator)).toSorted(),
  )
  expect(named.filter((one) => !known.some((operator) => operator === one))).toEqual([])
})

test.each(SEARCH_OPERATORS.filter((one) => OPERATOR_SHAPES[one].isExtension))('names %s', (operator) => {
  expect(guide).toContain(`\`${operator}\``)
})
