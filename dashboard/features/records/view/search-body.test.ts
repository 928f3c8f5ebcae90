import { expect, test } from 'vitest'
import type { AskedTree, FilterTree } from '../../../shared/filters/filter.ts'
import { PLAIN } from '../../../shared/filters/view-state.ts'
import { filterTreeOf, pageBody, recordSetOf } from './search-body.ts'

const won: FilterTree = { attributeSlug: 'stage', operator: 'equals', value: 'Won' }

test.each<[string, FilterTree | null, string, AskedTree | null]>([
  ['no search, no filter', null, '  ', null],
  ['only a search', null, ' acme ', { q: 'acme' }],
  ['both are required', won, 'acme', { and: [won, { q: 'acme' }] }],
])('combines filter and search: %s', (_, filter, search, expected) => {
  expect(filterTreeOf({ filter, search })).toEqual(expected)
})

test.each<[string, FilterTree | null, string, boolean | undefined]>([
  ['a search', null, 'acme', true],
  ['a search in a filter', won, 'acme', true],
  ['a filter', won, '', undefined],
  ['neither', null, '', undefined],
])('whether pages are quick with %s', (_, filter, search, isQuick) => {
  expect(pageBody(recordSetOf({ ...PLAIN, filter, search }), 0).isQuick).toBe(isQuick)
})

test('only the first page requests the count', () => {
  const set = recordSetOf({ ...PLAIN, sort: [{ field: 'name', order: 'asc' }] })
  expect(pageBody(set, 0)).toEqual({ ...set, limit: 100, offset: 0, count: true })
  expect(pageBody(set, 3)).toEqual({ ...set, limit: 100, offset: 300, count: false })
})
