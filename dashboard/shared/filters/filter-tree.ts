// A filter as people build it: conditions that all or any must hold, and groups of such one level down. What is
// deeper came by a link: it is kept and shown, and edited nowhere.
import type { Condition, FilterTree } from './filter.ts'

export type Junction = 'and' | 'or'

export interface FilterGroup {
  junction: Junction
  items: FilterTree[]
}

export const isCondition = (tree: FilterTree): tree is Condition => 'attributeSlug' in tree

export const toGroup = (tree: Exclude<FilterTree, Condition>): FilterGroup =>
  'and' in tree ? { junction: 'and', items: tree.and } : { junction: 'or', items: tree.or }

export const fromGroup = ({ junction, items }: FilterGroup): FilterTree =>
  junction === 'and' ? { and: items } : { or: items }

/** The whole filter as one group. */
export function rootGroup(tree: FilterTree | null): FilterGroup {
  if (!tree) return { junction: 'and', items: [] }
  return isCondition(tree) ? { junction: 'and', items: [tree] } : toGroup(tree)
}

/** Without what is empty or stands alone for no reason. */
function simplified(tree: FilterTree): FilterTree | null {
  if (isCondition(tree)) return tree
  const { junction, items } = toGroup(tree)
  const kept = items.map(simplified).filter((item) => item !== null)
  const [first] = kept
  return first && kept.length > 1 ? fromGroup({ junction, items: kept }) : (first ?? null)
}

/** The group as a filter; null for one that holds nothing. */
export const rootTree = (group: FilterGroup): FilterTree | null => simplified(fromGroup(group))

/** Can it be edited as a group of conditions? */
export const isPlainGroup = (tree: FilterTree): boolean =>
  !isCondition(tree) && toGroup(tree).items.every(isCondition)

export const withItem = (group: FilterGroup, item: FilterTree): FilterGroup => ({
  ...group,
  items: [...group.items, item],
})

/** null takes it away. */
export const replaceItem = (group: FilterGroup, index: number, item: FilterTree | null): FilterGroup => ({
  ...group,
  items: item ? group.items.with(index, item) : group.items.toSpliced(index, 1),
})

export function countConditions(tree: FilterTree | null): number {
  if (!tree) return 0
  if (isCondition(tree)) return 1
  return toGroup(tree).items.reduce((sum, item) => sum + countConditions(item), 0)
}
