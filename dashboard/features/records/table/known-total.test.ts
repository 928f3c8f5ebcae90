import { expect, test } from 'vitest'
import { knownTotal } from './known-total.ts'

const list = (records: number, rest: { total?: number; nextCursor?: string } = {}) => ({
  records: Array.from({ length: records }),
  pagination: { limit: 100, offset: 0, ...rest },
})

const more = { nextCursor: 'more' }

test.each([
  ['not loaded', [], undefined, undefined],
  ['counted', [list(100, { total: 1234, ...more })], 1234, undefined],
  ['all on one page', [list(7)], 7, undefined],
  ['more than one page', [list(100, more)], 200, 100],
  ['more than two pages', [list(100, more), list(100, more)], 300, 200],
  ['the last page is loaded', [list(100, more), list(30)], 130, undefined],
])('returns the known total: %s', (_, pages, total, atLeast) => {
  expect(knownTotal(pages[0], (page) => pages[page])).toEqual({ total, atLeast })
})
