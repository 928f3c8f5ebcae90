// Conditions on measures.
import sql, { type Sql } from 'sql-template-tag'
import { HAVING_OPERATORS } from '../../../contract/operators.ts'
import { instead, sentName } from '../../base/suggestions.ts'
import { checkLeaf } from '../../records/filters/check.ts'
import type { TreeNode } from '../../records/filters/parse.ts'
import { compareSql, conditionOf, type FieldSql, type RecordFilter } from '../../records/filters/to-sql.ts'
import { planTree } from './filters.ts'
import type { PlannedMeasure } from './measures.ts'
import { m } from './names.ts'
import type { Planning } from './planning.ts'

/** A measure is a number, a day, or null. */
function measureField({ kind }: PlannedMeasure, value: Sql): FieldSql {
  const toParameter = (operand: string) =>
    kind === 'text' ? sql`${operand}::text collate "C"` : sql`${operand}::numeric`
  return {
    isEmpty: sql`${value} is null`,
    hasFlag: () => sql`false`,
    matches: (asked) => compareSql(asked, value, toParameter),
  }
}

function havingLeaf(
  planning: Planning,
  measures: readonly PlannedMeasure[],
  node: TreeNode,
  path: string,
): RecordFilter | undefined {
  const { key, value } = node
  const operator = HAVING_OPERATORS.find((one) => one === node['operator'])
  const index = measures.findIndex(({ column }) => column.key === key)
  const measure = measures[index]
  if (!operator)
    planning.note(
      `${path}.operator`,
      'unknown_operator',
      `must be an operator, not ${sentName(node['operator'])}: ${instead(node['operator'], HAVING_OPERATORS)}`,
    )
  if (!measure) {
    const keys = measures.map(({ column }) => column.key)
    return planning.note(
      `${path}.key`,
      'unknown_key',
      `no measure has the key ${sentName(key)}: ${instead(key, keys)}`,
    )
  }
  if (!operator) return undefined
  const type = measure.kind === 'text' ? 'date' : 'number'
  const attribute = { slug: measure.column.key, type, isList: false } as const
  const leaf = checkLeaf({ attribute, operator, value }, planning.surroundings)
  if ('operands' in leaf)
    return { condition: conditionOf(leaf, measureField(measure, m(index))), leaf: undefined }
  return planning.note(`${path}.${leaf.part}`, leaf.code, leaf.message)
}

const FIELDS = new Set(['key', 'operator', 'value'])

export const planHaving = (
  planning: Planning,
  measures: readonly PlannedMeasure[],
  having: unknown,
): Sql | undefined =>
  planTree(planning, { tree: having, path: 'having', fields: FIELDS }, (node, path) =>
    havingLeaf(planning, measures, node, path),
  )
