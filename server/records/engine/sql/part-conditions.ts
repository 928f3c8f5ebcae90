// A filter on a part of a value → the ids that the index rows of whole values give for it. Pure.
import { join } from 'sql-template-tag'
import type { ObjectIndex } from '../../../model/attributes/object-index.ts'
import type { FilterLeaf } from '../../filters/check.ts'
import type { PartAttribute, WholeAttribute } from '../../filters/parts.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import { type IndexCondition, indexConditionOf } from './index-conditions.ts'

const CONTAINED: ReadonlySet<string> = new Set(['equals', 'in', 'contains', 'startsWith', 'endsWith'])

/** A part is in the text of the whole value. So `contains` on the whole value finds a superset. */
function conditionOnWhole(
  of: WholeAttribute,
  { operator, operands }: Pick<FilterLeaf, 'operator' | 'operands'>,
): FilterLeaf[] {
  if (operator === 'isNotEmpty') return [{ attribute: of, operator, operands: [] }]
  if (!CONTAINED.has(operator)) return []
  return operands.map((operand) => ({ attribute: of, operator: 'contains', operands: [operand] }))
}

type PartLeaf = FilterLeaf & { attribute: Pick<PartAttribute, 'part'> }

export const isOfPart = (leaf: FilterLeaf): leaf is PartLeaf => leaf.attribute.part !== undefined

/** @returns a superset; undefined when index rows do not help: they hold no currency codes */
export function partCondition(
  owner: ObjectScope,
  index: ObjectIndex,
  leaf: PartLeaf,
): IndexCondition | undefined {
  const { of } = leaf.attribute.part
  const wholes = of.type === 'currency' ? [] : conditionOnWhole(of, leaf)
  const conditions = wholes.flatMap((whole) => indexConditionOf(owner, index, whole) ?? [])
  const [first, another] = conditions
  if (!first || conditions.length < wholes.length) return undefined
  const superset = { ...first, isExact: false, exactIds: undefined }
  if (!another) return superset
  const ids = join(
    conditions.map((condition) => condition.ids),
    ' union ',
  )
  return { ...superset, ids, isOrdered: false }
}
