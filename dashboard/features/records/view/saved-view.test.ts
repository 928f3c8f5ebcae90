import { expect, test } from 'vitest'
import { attributeOf } from '../../../shared/api/attribute.fixture.ts'
import { PLAIN, stateOf, type ViewSearch } from '../../../shared/filters/view-state.ts'
import { isChanged, savedOfState, stateOfSaved } from './saved-view.ts'

const attributes = [
  attributeOf({ id: 'stage', slug: 'stage', type: 'select', config: { options: ['Lead', 'Won'] } }),
  attributeOf({ id: 'amount', slug: 'amount', type: 'currency' }),
  attributeOf({ id: 'owner', slug: 'owner', type: 'member' }),
]

test.each<[string, ViewSearch, boolean]>([
  ['nothing', {}, false],
  ['a board', { kind: 'board' }, false],
  ['a board with its default columns', { kind: 'board', board: 'stage:amount' }, false],
  ['a board with other columns', { kind: 'board', board: 'owner:amount' }, true],
  ['a board without a total', { kind: 'board', board: 'stage' }, true],
  ['a search', { q: 'acme' }, true],
])('whether the plain view is changed by %s', (_, search, expected) => {
  expect(isChanged(PLAIN, stateOf(PLAIN, search), attributes)).toBe(expected)
})

test.each<[ViewSearch, boolean]>([
  [{}, false],
  [{ kind: 'table' }, false],
  [{ board: 'owner:amount' }, false],
  [{ board: 'stage:amount' }, true],
])('whether a saved board is changed by %j: %s', (search, expected) => {
  const board = { groupBy: 'owner', sumOf: 'amount' }
  const base = stateOfSaved({ kind: 'board', state: { version: 1, columns: [], board } })
  expect(isChanged(base, stateOf(base, search), attributes)).toBe(expected)
})

test.each(['', 'amount', 'stage,-amount,owner'])(
  'a view sorted by %j survives saving and opening',
  (sort) => {
    const shown = stateOf(PLAIN, { sort })
    expect(stateOfSaved(savedOfState(shown, attributes))).toEqual(shown)
  },
)
