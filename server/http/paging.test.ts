import { expect, test } from 'vitest'
import { pageOfWhole } from './paging.ts'

const rows = (ids: string) => [...ids].map((id) => ({ id }))

function page(all: string, params: { limit?: number; cursor?: string }) {
  const { members: shown, pagination } = pageOfWhole('members', rows(all), params, 'members')
  return { shown: shown.map(({ id }) => id).join(''), cursor: pagination.nextCursor }
}

test.each([
  ['its last row is deleted', 'ACD', 'CD'],
  ['another row of it is deleted', 'BCD', 'CD'],
  ['a row is added before it', '0ABCD', 'CD'],
  ['nothing changes', 'ABCD', 'CD'],
])('the next page of a list that is read whole begins with the next row when %s', (_, then, next) => {
  const { shown, cursor = '' } = page('ABCD', { limit: 2 })
  expect(shown).toBe('AB')
  expect(page(then, { limit: 2, cursor }).shown).toBe(next)
})
