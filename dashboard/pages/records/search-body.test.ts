import { expect, test } from 'vitest'
import type { Attribute } from '../../api/objects.ts'
import { filterTreeOf, pageBody, recordSetOf } from './search-body.ts'
import { type FilterTree, PLAIN } from './view-state.ts'

const attribute = (slug: string, type: Attribute['type']) => ({ slug, type, isList: false }) as Attribute
const ATTRIBUTES = [
  attribute('phone', 'phone_number'),
  attribute('name', 'text'),
  attribute('size', 'number'),
]
const has = (attributeSlug: string, value: string): FilterTree => ({
  attributeSlug,
  operator: 'contains',
  value,
})
const won: FilterTree = { attributeSlug: 'stage', operator: 'equals', value: 'Won' }

test.each<[string, FilterTree | null, string, FilterTree | null]>([
  ['no search, no filter', null, '  ', null],
  ['a search without digits leaves phone numbers out', null, ' acme ', has('name', 'acme')],
  ['a search with digits, the name first', null, '555', { or: [has('name', '555'), has('phone', '555')] }],
  ['both must hold', won, 'acme', { and: [won, has('name', 'acme')] }],
])('%s', (_, filter, search, expected) => {
  expect(filterTreeOf(ATTRIBUTES, { filter, search })).toEqual(expected)
})

test('never more conditions than the service takes', () => {
  const many = Array.from({ length: 30 }, (_, at) => attribute(`text_${at}`, 'text'))
  const filter: FilterTree = { and: [won, won, won] }
  const tree = filterTreeOf(many, { filter, search: 'x' }) as { and: [unknown, { or: unknown[] }] }
  expect(tree.and[1].or).toHaveLength(17)
})

test('only the first page counts', () => {
  const set = recordSetOf(ATTRIBUTES, { ...PLAIN, sort: { field: 'name', order: 'asc' } })
  expect(pageBody(set, 0)).toEqual({ ...set, limit: 100, offset: 0, count: true })
  expect(pageBody(set, 3)).toEqual({ ...set, limit: 100, offset: 300, count: false })
})
