// Trees of conditions of a report: `filters` over fields, `having` over measures.
import type { FilterOperator, HavingOperator } from '../../../../contract/operators.ts'
import { asTree, groupOf, type LogicTree } from '../../../shared/filters/logic-tree.ts'

/** A condition on a field. */
export interface FieldCondition {
  field: string
  operator: FilterOperator
  value: unknown
}

/** A condition on a measure. */
export interface MeasureCondition {
  key: string
  operator: HavingOperator
  value: unknown
}

export type Tree<Leaf> = LogicTree<Leaf>
export type FilterTree = Tree<FieldCondition>
export type HavingTree = Tree<MeasureCondition>

/** Conversion from and to the untyped tree of a definition. The service validates it. */
export const treeIn = <Leaf>(tree: Record<string, unknown> | undefined) => tree as Tree<Leaf> | undefined
export const definitionTree = <Leaf>(tree: Tree<Leaf> | undefined) =>
  tree as Record<string, unknown> | undefined

/** Removes leaves that are not kept, and groups that become empty. */
export function pruned<Leaf>(
  tree: Tree<Leaf> | undefined,
  isKept: (leaf: Leaf) => boolean,
): Tree<Leaf> | undefined {
  if (tree === undefined) return undefined
  const group = groupOf(tree)
  if (!group) return isKept(tree as Leaf) ? tree : undefined
  const items = group.items.map((item) => pruned(item, isKept)).filter((item) => item !== undefined)
  if (items.length === group.items.length && items.every((item, at) => item === group.items[at])) return tree
  return items.length > 0 ? asTree({ ...group, items }) : undefined
}
