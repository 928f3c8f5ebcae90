// The API guide documents every attribute type, filter operator, error code and status.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API } from './api.ts'
import { ATTRIBUTE_TYPES, TYPE_CONTRACTS } from './attribute-types.ts'
import { API_ERROR_STATUS } from './errors.ts'
import { FILTER_OPERATORS, OPERATOR_SHAPES, SEARCH_OPERATORS } from './operators.ts'
import type { ApiRoute } from './route.ts'

const guide = readFileSync(new URL('../docs/guide/api.md', import.meta.url), 'utf8')

/** Rows `| text, email | equals, contains (has the element) |`: the names in the first two cells. */
const rows = guide.split('\n').flatMap((line) => {
  const [, types, operators] = /^\| ([a-z_, ]+) \| (.+) \|$/.exec(line) ?? []
  return types && operators
    ? { types: types.split(', '), operators: operators.replaceAll(/ \([^)]*\)/g, '').split(', ') }
    : []
})

test.each(ATTRIBUTE_TYPES)('documents the value format of type %s', (type) => {
  expect(guide).toContain(`\n| \`${type}\` | `)
})

test.each(ATTRIBUTE_TYPES)('documents the operators of type %s', (type) => {
  const named = rows.filter(({ types }) => types.includes(type)).flatMap(({ operators }) => operators)
  const known = TYPE_CONTRACTS[type].operators
  expect(named.filter((one) => FILTER_OPERATORS.some((operator) => operator === one)).toSorted()).toEqual(
    known.filter((operator) => FILTER_OPERATORS.includes(operator)).toSorted(),
  )
  expect(named.filter((one) => !known.some((operator) => operator === one))).toEqual([])
})

test.each(SEARCH_OPERATORS.filter((one) => OPERATOR_SHAPES[one].isExtension))('documents %s', (operator) => {
  expect(guide).toContain(`\`${operator}\``)
})

/** Rows `| 401 | `unauthorized`, `expired` | no valid key |`. */
const statusRows = guide.split('\n').flatMap((line) => {
  const [, statuses, codes] = /^\| (\d{3}(?:, \d{3})*) \| ([^|]*) ?\|/.exec(line) ?? []
  if (!statuses || codes === undefined) return []
  return {
    statuses: statuses.split(', ').map(Number),
    codes: [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code),
  }
})

test.each(Object.entries(API_ERROR_STATUS))('lists %s with status %i', (code, status) => {
  const found = statusRows.filter(({ codes, statuses }) => codes.includes(code) && statuses.includes(status))
  expect(found).toHaveLength(1)
})

test('lists every success status', () => {
  const routes = API.flatMap(({ routes: own }) => Object.values<ApiRoute>(own))
  const sent = new Set(routes.flatMap(({ response }) => Object.keys(response).map(Number)))
  expect([...sent].filter((status) => !statusRows.some(({ statuses }) => statuses.includes(status)))).toEqual(
    [],
  )
})

test('lists only error codes that the API sends', () => {
  const known = Object.keys(API_ERROR_STATUS)
  expect(statusRows.flatMap(({ codes }) => codes).filter((code) => !known.includes(code ?? ''))).toEqual([])
})
