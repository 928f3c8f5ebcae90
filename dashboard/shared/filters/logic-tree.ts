// The tree form of filters of records, reports and workflows: leaves, "and" groups, "or" groups, and negations.

export type LogicTree<Leaf> =
  | Leaf
  | { and: LogicTree<Leaf>[] }
  | { or: LogicTree<Leaf>[] }
  | { not: LogicTree<Leaf> }
export type Junction = 'and' | 'or'

export interface LogicGroup<Leaf> {
  junction: Junction
  items: readonly LogicTree<Leaf>[]
  /** Whether the group is negated. */
  isNegated?: boolean
}

/** The most nested groups that the service accepts, including the outermost one. */
export const GROUPS_MAX = 5

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function negatedGroup<Leaf>(tree: LogicTree<Leaf>): LogicGroup<Leaf> {
  const group = groupOf(tree)
  if (!group) return { junction: 'and', items: [tree], isNegated: true }
  const { isNegated, ...affirmed } = group
  return isNegated ? affirmed : { ...affirmed, isNegated: true }
}

/** The tree as a group; undefined for a leaf. A negated leaf is a group of one. */
export function groupOf<Leaf>(tree: LogicTree<Leaf>): LogicGroup<Leaf> | undefined {
  if (!isObject(tree)) return undefined
  if ('and' in tree) return { junction: 'and', items: listOf(tree['and']) as LogicTree<Leaf>[] }
  if ('or' in tree) return { junction: 'or', items: listOf(tree['or']) as LogicTree<Leaf>[] }
  if ('not' in tree) return negatedGroup(tree['not'] as LogicTree<Leaf>)
  return undefined
}

export const isLeaf = <Leaf>(tree: LogicTree<Leaf>): tree is Leaf => groupOf(tree) === undefined

/** The tree as a group. A leaf becomes a group of one. */
export function rootOf<Leaf>(tree: LogicTree<Leaf> | null | undefined): LogicGroup<Leaf> {
  if (tree === undefined || tree === null || (isObject(tree) && Object.keys(tree).length === 0))
    return { junction: 'and', items: [] }
  return groupOf(tree) ?? { junction: 'and', items: [tree] }
}

export function asTree<Leaf>({ junction, items, isNegated }: LogicGroup<Leaf>): LogicTree<Leaf> {
  const [only, ...others] = items
  const group = junction === 'and' ? { and: [...items] } : { or: [...items] }
  if (!isNegated) return group
  return { not: only !== undefined && others.length === 0 ? only : group }
}

/** The tree as a group that is not negated. A negation becomes a group of one. */
export function affirmedRoot<Leaf>(tree: LogicTree<Leaf> | null | undefined): LogicGroup<Leaf> {
  const root = rootOf(tree)
  return root.isNegated ? { junction: 'and', items: [asTree(root)] } : root
}

/** The group as a tree. undefined if the group is empty. A single leaf stays a leaf if the tree was a leaf before. */
export function rootTree<Leaf>(
  group: LogicGroup<Leaf>,
  before: LogicTree<Leaf> | undefined,
): LogicTree<Leaf> | undefined {
  const [first] = group.items
  if (first === undefined) return undefined
  const hadNoGroup = before === undefined || groupOf(before) === undefined
  const isSingle = group.items.length === 1 && !group.isNegated
  return isSingle && hadNoGroup && groupOf(first) === undefined ? first : asTree(group)
}

/** The path of an item of the root group. A leaf without a group has the path of the tree. */
export const placeOfItem = <Leaf>(
  tree: LogicTree<Leaf> | undefined,
  place: string,
  index: number,
): string => {
  if (isObject(tree) && 'not' in tree)
    return placeOfItem(tree['not'] as LogicTree<Leaf>, `${place}.not`, index)
  const group = tree === undefined ? undefined : groupOf(tree)
  return group ? `${place}.${group.junction}[${index}]` : place
}

/** Replaces an item. undefined removes the item. An inner group that becomes empty is removed too. */
export function withItem<Leaf>(
  group: LogicGroup<Leaf>,
  index: number,
  item: LogicTree<Leaf> | undefined,
): LogicGroup<Leaf> {
  const isRemoved = item === undefined || groupOf(item)?.items.length === 0
  return {
    ...group,
    items: isRemoved ? group.items.toSpliced(index, 1) : group.items.toSpliced(index, 1, item),
  }
}

export const leavesOf = <Leaf>(tree: LogicTree<Leaf> | null | undefined): Leaf[] =>
  rootOf(tree).items.flatMap((item) => (isLeaf(item) ? [item] : leavesOf(item)))

/** The group as a tree without empty groups and groups of one. null if nothing remains. */
export function simplified<Leaf>({ junction, items, isNegated }: LogicGroup<Leaf>): LogicTree<Leaf> | null {
  const kept = items
    .map((item) => (isLeaf(item) ? item : simplified(rootOf(item))))
    .filter((item) => item !== null)
  const [first] = kept
  if (first === undefined) return null
  return kept.length > 1 || isNegated
    ? asTree({ junction, items: kept, isNegated: isNegated === true })
    : first
}

/** Whether a new leaf can form a group with the last one. */
export function canGroup<Leaf>({ items }: LogicGroup<Leaf>): boolean {
  const last = items.at(-1)
  return items.length > 1 && last !== undefined && isLeaf(last)
}

/**
 * Appends a leaf, or groups it with the last leaf. The new group has the other junction: "or" inside "and", "and"
 * inside "or".
 */
export function withLeaf<Leaf>(root: LogicGroup<Leaf>, leaf: Leaf, isGrouped = false): LogicGroup<Leaf> {
  const last = root.items.at(-1)
  if (!isGrouped || last === undefined || !canGroup(root)) return { ...root, items: [...root.items, leaf] }
  const junction = root.junction === 'and' ? 'or' : 'and'
  return { ...root, items: root.items.with(-1, asTree<Leaf>({ junction, items: [last, leaf] })) }
}

/** The tree in words, with inner groups in brackets. @param wordsOf the words of a leaf; '' omits the leaf */
export function logicWords(tree: unknown, wordsOf: (leaf: unknown) => string, isInner = false): string {
  const group = groupOf(tree)
  if (!group) return wordsOf(tree)
  const parts = group.items.map((item) => logicWords(item, wordsOf, true)).filter(Boolean)
  const text = parts.join(` ${group.junction} `)
  if (group.isNegated) return text && `not (${text})`
  return isInner && parts.length > 1 ? `(${text})` : text
}
