// Writes a filter tree in the address, with conditions as short arrays, and reads it.
import { FILTER_DEPTH_MAX } from '../../../contract/limits.ts'
import { type FilterOperator, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import type { Condition, FilterTree, Operand } from './filter.ts'

const OPERATORS: ReadonlySet<string> = new Set(SEARCH_OPERATORS)
const isOperator = (value: unknown): value is FilterOperator =>
  typeof value === 'string' && OPERATORS.has(value)
const isOperand = (value: unknown): value is Operand =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
const isOperands = (value: unknown): value is Operand[] =>
  Array.isArray(value) && value.length > 0 && value.every(isOperand)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function filterToUrl(tree: FilterTree | null): unknown {
  if (!tree) return null
  if ('and' in tree) return { and: tree.and.map(filterToUrl) }
  if ('or' in tree) return { or: tree.or.map(filterToUrl) }
  if ('not' in tree) return { not: filterToUrl(tree.not) }
  return [tree.attributeSlug, tree.operator, tree.value]
}

function conditionOf(attributeSlug: unknown, operator: unknown, value: unknown): Condition | null {
  if (typeof attributeSlug !== 'string' || !isOperator(operator)) return null
  return isOperand(value) || isOperands(value) ? { attributeSlug, operator, value } : null
}

function branches(value: unknown, depth: number): FilterTree[] {
  if (!Array.isArray(value)) return []
  const trees = value.map((one) => read(one, depth + 1))
  return trees.every((tree) => tree !== null) ? trees : []
}

function group(key: 'and' | 'or', value: unknown, depth: number): FilterTree | null {
  const trees = branches(value, depth)
  if (trees.length === 0) return null
  return key === 'and' ? { and: trees } : { or: trees }
}

function read(value: unknown, depth: number): FilterTree | null {
  if (depth > FILTER_DEPTH_MAX) return null
  if (Array.isArray(value)) return value.length === 3 ? conditionOf(value[0], value[1], value[2]) : null
  if (!isObject(value)) return null
  if ('and' in value) return group('and', value['and'], depth)
  if ('or' in value) return group('or', value['or'], depth)
  if ('not' in value) {
    const not = read(value['not'], depth + 1)
    return not && { not }
  }
  return conditionOf(value['attributeSlug'], value['operator'], value['value'])
}

/**
 * Also accepts the long form of search bodies. null if any part is invalid: the other parts would find other records.
 */
export const filterFromUrl = (value: unknown): FilterTree | null => read(value, 1)
