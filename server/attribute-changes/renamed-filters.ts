// Replaces options of one attribute in filters. Pure. Values of any other shape stay unchanged.

import { isObject } from '../base/json.ts'
import type { OptionNames } from '../model/attributes/models.ts'

/** The option that replaces a value; null if it is cleared, undefined if it stays. */
export const successorOf = (value: unknown, names: OptionNames): string | null | undefined =>
  typeof value === 'string' && Object.hasOwn(names, value) ? names[value] : undefined

/** The values without cleared options and duplicates. Returns the same array if nothing changes. */
export function renamedValues(values: readonly unknown[], names: OptionNames): readonly unknown[] {
  if (values.every((value) => successorOf(value, names) === undefined)) return values
  const renamed = values.map((value) => {
    const next = successorOf(value, names)
    return next === undefined ? value : next
  })
  return [...new Set(renamed)].filter((value) => value !== null)
}

interface Leaf {
  operator: string
  operand: unknown
}

/** Records of a cleared option then have no value. */
const OF_NOTHING: Readonly<Record<string, string>> = {
  equals: 'isEmpty',
  in: 'isEmpty',
  notEquals: 'isNotEmpty',
  notIn: 'isNotEmpty',
}

/** @returns undefined if the leaf does not change */
function renamedLeaf({ operator, operand }: Leaf, names: OptionNames): Leaf | undefined {
  const nothing = OF_NOTHING[operator]
  if (nothing === undefined) return undefined
  if (Array.isArray(operand)) {
    const values = renamedValues(operand, names)
    if (values === operand) return undefined
    return values.length > 0 ? { operator, operand: values } : { operator: nothing, operand: true }
  }
  const next = successorOf(operand, names)
  if (next === undefined) return undefined
  return next === null ? { operator: nothing, operand: true } : { operator, operand: next }
}

/** The format of the leaves of a tree. */
interface Form {
  /** The field of the operand. */
  operand: 'value' | 'right'
  /** Whether a leaf is about the attribute. */
  isAbout(leaf: Record<string, unknown>): boolean
}

/** A tree of `and`, `or`, `not` and leaves. Returns the same tree if nothing changes. */
export function renamedTree(tree: unknown, form: Form, names: OptionNames): unknown {
  if (!isObject(tree)) return tree
  for (const group of ['and', 'or']) {
    const members = tree[group]
    if (!Array.isArray(members)) continue
    const renamed = members.map((member) => renamedTree(member, form, names))
    return renamed.every((member, place) => member === members[place]) ? tree : { ...tree, [group]: renamed }
  }
  if (isObject(tree['not'])) {
    const not = renamedTree(tree['not'], form, names)
    return not === tree['not'] ? tree : { ...tree, not }
  }
  if (!form.isAbout(tree)) return tree
  const leaf = renamedLeaf({ operator: String(tree['operator']), operand: tree[form.operand] }, names)
  return leaf ? { ...tree, operator: leaf.operator, [form.operand]: leaf.operand } : tree
}

/** The attribute whose options change. */
export interface RenamedAttribute {
  slug: string
  /** Whether an id or slug is that of the object of the attribute. */
  isObject(ref: unknown): boolean
  names: OptionNames
}

/** The object that a reference leads to, by the referring object and the slug of the reference. */
export type References = (object: unknown, slug: string) => string | undefined

/** Whether a path along references, starting at records of `object`, ends at the attribute. */
export function endsAt({ slug, isObject: isHere }: RenamedAttribute, target: References) {
  return (object: unknown, path: readonly string[]): boolean =>
    path.at(-1) === slug && isHere(path.slice(0, -1).reduce<unknown>(target, object))
}

/** Replaces options in a filter of records of `object`. Returns the same filter if nothing changes. */
export const renamedFilter =
  (attribute: RenamedAttribute, target: References) =>
  (filter: unknown, object: unknown): unknown => {
    const isAtEnd = endsAt(attribute, target)
    const isAbout = ({ attributeSlug }: Record<string, unknown>) =>
      isAtEnd(object, String(attributeSlug).split('.'))
    return renamedTree(filter, { operand: 'value', isAbout }, attribute.names)
  }
