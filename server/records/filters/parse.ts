// Parses a tree of filters. Records, reports and workflows have different leaves, and parse these themselves. The
// groups are the same.
import { FILTER_DEPTH_MAX, FILTERS_MAX } from '../../../contract/limits.ts'
import { isRawNumber } from '../../base/json.ts'
import { instead, sentName } from '../../base/suggestions.ts'

export type ParsedTree<Leaf> =
  | { leaf: Leaf }
  | { group: 'and' | 'or'; members: ParsedTree<Leaf>[] }
  | { not: ParsedTree<Leaf> }

export type TreeNode = Readonly<Record<string, unknown>>

/** Adds a problem. Returns undefined, so that a parser can return its result. */
export type NoteProblem = (path: string, code: string, message: string) => undefined

/** Counts the leaves of one request, which can have several trees. */
export class LeafLimit {
  #count = 0
  readonly #max: number

  constructor(max = FILTERS_MAX) {
    this.#max = max
  }

  /** Adds a problem for the first leaf over the limit. */
  admit(path: string, note: NoteProblem): boolean {
    if (++this.#count === this.#max + 1)
      note(path, 'too_many_filters', `must have at most ${this.#max} filters in total: send fewer`)
    return this.#count <= this.#max
  }
}

export interface Grammar<Leaf> {
  /** The word for a leaf in messages. */
  noun: 'filter' | 'condition'
  fields: ReadonlySet<string>
  /** The most members of a group. */
  membersMax: number
  limit: LeafLimit
  note: NoteProblem
  /** @returns undefined after noting a problem */
  leaf(node: TreeNode, path: string): Leaf | undefined
  /** Parses `{"q": "text"}`, if the tree can contain free text. */
  text?(value: unknown, path: string): Leaf | undefined
}

/** An object, neither an array nor a number that is kept as text. */
export const isNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

function readGroup<Leaf>(
  grammar: Grammar<Leaf>,
  { group, members, path, depth }: { group: 'and' | 'or'; members: unknown; path: string; depth: number },
): ParsedTree<Leaf> | undefined {
  const { membersMax, noun, note } = grammar
  if (!Array.isArray(members) || members.length === 0 || members.length > membersMax)
    return note(path, 'invalid_group', `must be an array of 1 to ${membersMax} ${noun}s`)
  const read = members.map((member, index) => readNode(grammar, member, `${path}[${index}]`, depth + 1))
  const known = read.filter((member) => member !== undefined)
  return known.length === read.length ? { group, members: known } : undefined
}

function unknownField<Leaf>({ fields, text }: Grammar<Leaf>, name: string): string {
  const groups = ['and', 'or', 'not', ...(text ? ['q'] : [])]
  return groups.includes(name)
    ? `"${name}" must be the only field of its object: send the others in another object`
    : `${sentName(name)} is not a known field: ${instead(name, [...fields, ...groups])}`
}

function readLeaf<Leaf>(grammar: Grammar<Leaf>, node: TreeNode, path: string): Leaf | undefined {
  const { fields, limit, note } = grammar
  const keys = Object.keys(node)
  if (grammar.text && keys.length === 1 && keys[0] === 'q')
    return limit.admit(`${path}.q`, note) ? grammar.text(node['q'], `${path}.q`) : undefined
  const unknown = keys.find((key) => !fields.has(key))
  if (unknown !== undefined) return note(path, 'unknown_field', unknownField(grammar, unknown))
  return limit.admit(path, note) ? grammar.leaf(node, path) : undefined
}

function readNode<Leaf>(
  grammar: Grammar<Leaf>,
  node: unknown,
  path: string,
  depth: number,
): ParsedTree<Leaf> | undefined {
  const { noun, note, text } = grammar
  const others = `${text ? ', {"q": "text"}' : ''}, {"and": […]}, {"or": […]} or {"not": {…}}`
  if (!isNode(node)) return note(path, 'invalid_type', `must be a ${noun}${others}`)
  if (depth > FILTER_DEPTH_MAX)
    return note(path, 'too_deep', `must be nested at most ${FILTER_DEPTH_MAX} levels deep: use fewer groups`)
  const [group, ...more] = Object.keys(node)
  if (more.length === 0 && (group === 'and' || group === 'or'))
    return readGroup(grammar, { group, members: node[group], path: `${path}.${group}`, depth })
  if (more.length === 0 && group === 'not') {
    const not = readNode(grammar, node['not'], `${path}.not`, depth + 1)
    return not && { not }
  }
  const leaf = readLeaf(grammar, node, path)
  return leaf === undefined ? undefined : { leaf }
}

/** Every node that looks like a leaf. Filters that are not checked yet may be as deep and as long as a request body. */
export function* unparsedLeaves(asked: unknown): Generator<TreeNode> {
  const waiting = [asked]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (isNode(one) && 'operator' in one) yield one
    else if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one)) waiting.push(inner)
  }
}

/** @returns undefined after noting a problem */
export const parseFilters = <Leaf>(
  tree: unknown,
  path: string,
  grammar: Grammar<Leaf>,
): ParsedTree<Leaf> | undefined => readNode(grammar, tree, path, 0)

/** The leaves of a tree, from left to right. */
export function leavesOf<Leaf>(tree: ParsedTree<Leaf>): Leaf[] {
  if ('leaf' in tree) return [tree.leaf]
  return 'not' in tree ? leavesOf(tree.not) : tree.members.flatMap(leavesOf)
}
