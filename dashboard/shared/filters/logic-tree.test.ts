import { expect, test } from 'vitest'
import { type LogicTree, placeOfItem, rootOf, rootTree, withItem } from './logic-tree.ts'

type Tree = LogicTree<{ left: string }>
const a: Tree = { left: 'a' }
const b: Tree = { left: 'b' }

test.each([
  [undefined, { junction: 'and', items: [] }],
  [{} as Tree, { junction: 'and', items: [] }],
  [a, { junction: 'and', items: [a] }],
  [{ or: [a, b] }, { junction: 'or', items: [a, b] }],
] as const)('%j as a group', (tree, group) => {
  expect(rootOf(tree as Tree | undefined)).toEqual(group)
})

test('one leaf alone stays alone, until another comes', () => {
  const root = rootOf<{ left: string }>(a)
  expect(rootTree(root, a)).toEqual(a)
  expect(rootTree({ ...root, items: [a, b] }, a)).toEqual({ and: [a, b] })
  // What was a group stays one: its paths do not change under one's hands.
  expect(rootTree({ ...root, items: [a] }, { and: [a, b] })).toEqual({ and: [a] })
  expect(rootTree({ ...root, items: [] }, a)).toBeUndefined()
})

test('items have their places as the service writes them', () => {
  expect(placeOfItem<unknown>(a, 'steps[0].config.when', 0)).toBe('steps[0].config.when')
  expect(placeOfItem<unknown>({ or: [a, b] }, 'steps[0].config.when', 1)).toBe('steps[0].config.when.or[1]')
})

test('a group that is left empty goes', () => {
  const group = { junction: 'and', items: [a, { or: [b] }] } as const
  expect(withItem<unknown>(group, 1, { or: [] }).items).toEqual([a])
  expect(withItem<unknown>(group, 0, undefined).items).toEqual([{ or: [b] }])
  expect(withItem<unknown>(group, 0, b).items).toEqual([b, { or: [b] }])
})
