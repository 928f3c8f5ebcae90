// Filters whose templates yield no value. Compared with nothing, no record matches: never all of them, and the run
// goes on.
import { OPERATOR_SHAPES, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { isNode, type TreeNode } from '../../records/filters/parse.ts'

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

interface Decided {
  /** What is left to search for; undefined: no record can match. */
  filter: unknown
  /** The path of the first value that is empty. */
  empty?: string
}

const shapeOf = (operator: unknown) => {
  const known = SEARCH_OPERATORS.find((one) => one === operator)
  return known && OPERATOR_SHAPES[known].takes
}

function decideLeaf(leaf: TreeNode, path: string): Decided {
  if ('q' in leaf) return isEmpty(leaf['q']) ? { filter: undefined, empty: `${path}.q` } : { filter: leaf }
  const { operator, value } = leaf
  const takes = shapeOf(operator)
  if (takes === undefined || takes === 'nothing') return { filter: leaf }
  const empty = `${path}.value`
  if (isEmpty(value)) return { filter: undefined, empty }
  if (!Array.isArray(value) || !value.some(isEmpty)) return { filter: leaf }
  const others = value.filter((one) => !isEmpty(one))
  // One of the others may still be equal; a range without an end, and a list to differ from, match nothing.
  return operator === 'in' && others.length > 0
    ? { filter: { ...leaf, value: others }, empty }
    : { filter: undefined, empty }
}

function decideGroup(group: 'and' | 'or', members: readonly unknown[], path: string): Decided {
  const decided = members.map((member, index) => decideEmptyOperands(member, `${path}.${group}[${index}]`))
  const empty = decided.find((one) => one.empty !== undefined)?.empty
  const left = decided.map(({ filter }) => filter).filter((filter) => filter !== undefined)
  const isDecided = group === 'and' ? left.length < members.length : left.length === 0
  return { filter: isDecided ? undefined : { [group]: left }, ...(empty !== undefined && { empty }) }
}

/** A comparison with an empty value is false. What is not a filter is left to the search, which refuses it. */
export function decideEmptyOperands(tree: unknown, path: string): Decided {
  if (!isNode(tree)) return { filter: tree }
  for (const group of ['and', 'or'] as const) {
    const members = tree[group]
    if (Array.isArray(members) && members.length > 0) return decideGroup(group, members, path)
  }
  return decideLeaf(tree, path)
}
