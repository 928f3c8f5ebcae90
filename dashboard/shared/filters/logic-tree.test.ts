import { expect, test } from 'vitest'
import {
  affirmedRoot,
  asTree,
  canGroup,
  groupOf,
  type LogicTree,
  leavesOf,
  logicWords,
  placeOfItem,
  rootOf,
  rootTree,
  simplified,
  withItem,
  withLeaf,
} from './logic-tree.ts'

type Tree = LogicTree<{ left: string }>
const a: Tree = { left: 'a' }
const b: Tree = { left: 'b' }

test.each([
  [undefined, { junction: 'and', items: [] }],
  [null, { junction: 'and', items: [] }],
  [{} as Tree, { junction: 'and', items: [] }],
  [a, { junction: 'and', items: [a] }],
  [{ or: [a, b] }, { junction: 'or', items: [a, b] }],
] as const)('rootOf returns %j as a group', (tree, group) => {
  expect(rootOf(tree as Tree | null | undefined)).toEqual(group)
})

test.each<[Tree, Tree]>([
  [{ not: a }, { not: a }],
  [{ not: { or: [a, b] } }, { not: { or: [a, b] } }],
  [{ not: { not: { or: [a, b] } } }, { or: [a, b] }],
  [{ not: { and: [a] } }, { not: a }],
])('groupOf and affirmedRoot keep the meaning of %j', (tree, written) => {
  const group = groupOf(tree)
  expect(group && asTree(group)).toEqual(written)
  expect(simplified(affirmedRoot(tree))).toEqual(written)
  expect(affirmedRoot(tree).isNegated).toBeUndefined()
})

test('a negated group is included in words, leaves and paths', () => {
  const tree: Tree = { and: [a, { not: { or: [b, { left: 'c' }] } }] }
  const leftOf = (leaf: unknown) => (leaf as { left: string }).left
  expect(logicWords(tree, leftOf)).toBe('a and not (b or c)')
  expect(leavesOf(tree).map(leftOf)).toEqual(['a', 'b', 'c'])
  expect(placeOfItem<unknown>({ not: { or: [a, b] } }, 'filter', 1)).toBe('filter.not.or[1]')
  expect(placeOfItem<unknown>({ not: a }, 'filter', 0)).toBe('filter.not')
})

test('a single leaf stays without a group until another leaf is added', () => {
  const root = rootOf<{ left: string }>(a)
  expect(rootTree(root, a)).toEqual(a)
  expect(rootTree({ ...root, items: [a, b] }, a)).toEqual({ and: [a, b] })
  // A group stays a group, so that the paths of its items do not change during editing.
  expect(rootTree({ ...root, items: [a] }, { and: [a, b] })).toEqual({ and: [a] })
  expect(rootTree({ ...root, items: [] }, a)).toBeUndefined()
})

test('placeOfItem returns the path that the service uses', () => {
  expect(placeOfItem<unknown>(a, 'steps[0].config.when', 0)).toBe('steps[0].config.when')
  expect(placeOfItem<unknown>({ or: [a, b] }, 'steps[0].config.when', 1)).toBe('steps[0].config.when.or[1]')
})

test('withItem removes a group that becomes empty', () => {
  const group = { junction: 'and', items: [a, { or: [b] }] } as const
  expect(withItem<unknown>(group, 1, { or: [] }).items).toEqual([a])
  expect(withItem<unknown>(group, 0, undefined).items).toEqual([{ or: [b] }])
  expect(withItem<unknown>(group, 0, b).items).toEqual([b, { or: [b] }])
})

const c: Tree = { left: 'c' }

test.each<[string, Tree | null]>([
  ['nothing', null],
  ['one leaf', a],
  ['any of two', { or: [a, b] }],
])('simplified keeps %s', (_, tree) => {
  expect(simplified(rootOf(tree))).toEqual(tree)
})

test('simplified removes empty groups and unwraps groups of one', () => {
  expect(simplified<unknown>({ junction: 'and', items: [a, { or: [b] }, { or: [] }] })).toEqual({
    and: [a, b],
  })
  expect(simplified(withItem(rootOf<unknown>({ and: [a, b] }), 0, undefined))).toEqual(b)
  expect(simplified(withItem(rootOf<unknown>(a), 0, undefined))).toBe(null)
})

test('leavesOf finds leaves at every depth', () => {
  expect(leavesOf<unknown>({ or: [a, { and: [b, c] }] })).toEqual([a, b, c])
  expect(leavesOf(null)).toEqual([])
})

test('withLeaf appends a leaf, or groups it with the last one', () => {
  const root = { junction: 'and', items: [a, b] } as const
  expect(withLeaf<unknown>(root, c).items).toEqual([a, b, c])
  expect(withLeaf<unknown>(root, c, true).items).toEqual([a, { or: [b, c] }])
  expect(canGroup<unknown>({ junction: 'and', items: [a] })).toBe(false)
  expect(canGroup<unknown>({ junction: 'and', items: [a, { or: [b, c] }] })).toBe(false)
})
