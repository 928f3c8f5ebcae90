// Conditions on measures.
import sql, { type Sql } from 'sql-template-tag'
import { HAVING_OPERATORS, type HavingOperator } from '../../../contract/report-states.ts'
import { canonicalDecimal, dayOf } from '../../records/operands.ts'
import { operandOf, planTree, type TreeNode } from './conditions.ts'
import type { PlannedMeasure } from './measures.ts'
import { m } from './names.ts'
import { type Planning, shown } from './planning.ts'

const COMPARISONS: Partial<Record<HavingOperator, Sql>> = {
  equals: sql`=`,
  notEquals: sql`=`,
  greaterThan: sql`>`,
  lessThan: sql`<`,
  greaterThanOrEqual: sql`>=`,
  lessThanOrEqual: sql`<=`,
}

interface Condition {
  planning: Planning
  measure: PlannedMeasure
  value: Sql
  operator: HavingOperator
  path: string
}

function readOperands({ planning, measure, operator, path }: Condition, value: unknown): Sql[] | undefined {
  const texts = operandOf(value)
  const wanted = operator === 'between' ? 2 : 1
  const isFit = Array.isArray(texts)
    ? operator === 'between' && texts.length === wanted
    : operator !== 'between'
  const isDay = measure.kind === 'text'
  const read =
    isFit && texts !== undefined
      ? [texts].flat().map((text) => (isDay ? dayOf(text) : canonicalDecimal(text)))
      : []
  const known = read.filter((one) => one !== undefined)
  if (known.length === wanted)
    return known.map((one) => (isDay ? sql`${one}::text collate "C"` : sql`${one}::numeric`))
  const form = isDay ? 'day, such as 2026-11-20' : 'number, such as 12.5'
  return planning.note(
    `${path}.value`,
    'wrong_operand',
    wanted === 2 ? `takes an array of two, each a ${form}` : `takes a ${form}`,
  )
}

function compare(condition: Condition, operand: unknown): Sql | undefined {
  const { operator, value, planning, path } = condition
  if (operator === 'isEmpty' || operator === 'isNotEmpty') {
    if (operand !== 'true' && operand !== true)
      return planning.note(`${path}.value`, 'wrong_operand', `${operator} takes the text true`)
    return operator === 'isEmpty' ? sql`${value} is null` : sql`${value} is not null`
  }
  const [first, second] = readOperands(condition, operand) ?? []
  if (!first) return undefined
  if (second) return sql`coalesce(${value} between ${first} and ${second}, false)`
  const held = sql`coalesce(${value} ${COMPARISONS[operator] ?? sql`=`} ${first}, false)`
  return operator === 'notEquals' ? sql`not ${held}` : held
}

function havingLeaf(planning: Planning, measures: readonly PlannedMeasure[], node: TreeNode, path: string) {
  const operator = HAVING_OPERATORS.find((one) => one === node['operator'])
  const index = measures.findIndex(({ column }) => column.key === node['key'])
  const measure = measures[index]
  if (!operator)
    planning.note(`${path}.operator`, 'unknown_operator', `there are ${HAVING_OPERATORS.join(', ')}`)
  if (!measure)
    return planning.note(`${path}.key`, 'unknown_key', `no measure has the key ${shown(node['key'])}`)
  if (!operator) return undefined
  return compare({ planning, measure, value: m(index), operator, path }, node['value'])
}

const FIELDS = new Set(['key', 'operator', 'value'])

export const planHaving = (
  planning: Planning,
  measures: readonly PlannedMeasure[],
  having: unknown,
): Sql | undefined =>
  planTree(having, 'having', {
    planning,
    fields: FIELDS,
    leaf: (node, path) => havingLeaf(planning, measures, node, path),
  })
