import { expect, test } from 'vitest'
import { filtersOf, validActivitySearch } from './activity-search.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const known = { userId: 'me-myself', objectId: (slug: string) => `id of ${slug}` }

test('keeps valid filters and parts of the address', () => {
  const search = {
    ...{ type: 'task', by: 'me', from: '2026-11-01', to: '2026-11-30', object: 'deals' },
    ...{ record: `${ID}:${ID}`, tasks: 'open', q: 'offer', activity: ID, create: 1 },
  } as const
  expect(validActivitySearch(search)).toEqual(search)
  expect(validActivitySearch({ q: 42, create: '1' })).toEqual({ q: '42', create: 1 })
})

test.each([
  { type: 'party' },
  { by: 'everybody' },
  { from: '2026-13-01' },
  { to: 'tomorrow' },
  { object: '../people' },
  { record: ID },
  { tasks: 'all' },
  { q: ' ' },
  { q: 'x'.repeat(201) },
  { activity: '1' },
  { create: 'yes' },
  { unknown: 'x' },
])('ignores the invalid part %j', (search) => {
  expect(validActivitySearch(search)).toEqual({})
})

test('filters are sent as times and ids, and include the whole last day', () => {
  expect(
    filtersOf({ by: 'me', from: '2026-11-01', to: '2026-11-30', object: 'deals', q: ' a ' }, known),
  ).toEqual({
    createdBy: 'me-myself',
    from: new Date('2026-11-01T00:00').toISOString(),
    to: new Date('2026-12-01T00:00').toISOString(),
    objectId: 'id of deals',
    q: 'a',
  })
  expect(filtersOf({ tasks: 'done', record: `${ID}:${ID}`, activity: ID }, known)).toEqual({
    isOpen: false,
    recordId: ID,
  })
})
