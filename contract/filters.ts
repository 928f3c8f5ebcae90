// Filters of records, and trees of filters. Reports and workflows use the same trees with other leaves.
import { type Static, Type } from 'typebox'
import { StrictObject } from './common.ts'
import { OPERANDS_MAX, SEARCH_OPERATORS } from './operators.ts'

/** A leaf, a group in which all (`and`) or any (`or`) must hold, or a negation. */
export type Tree<Leaf> = Leaf | { and: Tree<Leaf>[] } | { or: Tree<Leaf>[] } | { not: Tree<Leaf> }

const Operand = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
/** `in` and `notIn` require 1 to 100 values, `between` two, and all other operators one. */
export const FilterValue = Type.Union(
  [Operand, Type.Array(Operand, { minItems: 1, maxItems: OPERANDS_MAX })],
  {
    description:
      'The operand; `true` for isEmpty, isNotEmpty, isTrue and isFalse; an array for in, notIn and between',
  },
)

export const Filter = StrictObject({
  attributeSlug: Type.String({
    description:
      'An attribute slug, `created_at`, `updated_at`, `created_by` or `id`; or a part of a value (`address.city`, `name.lastName`, `amount.currency`); or any of these on a record that is reached through one or two references: `company.industry`, `contact.company.name`',
    examples: ['industry', 'address.city', 'company.industry'],
  }),
  operator: Type.String({ description: `One of ${SEARCH_OPERATORS.join(', ')}`, examples: ['equals'] }),
  value: FilterValue,
})
export type Filter = Static<typeof Filter>

export const FilterTree = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'A filter, {"q": "text"} for free text, or {"and": […]}, {"or": […]} or {"not": {…}} of these, up to 5 levels deep. `not` matches exactly the records that the inner filter does not match, including records without a value',
    examples: [
      { or: [{ attributeSlug: 'stage', operator: 'in', value: ['Won', 'Lost'] }] },
      { not: { attributeSlug: 'amount', operator: 'greaterThan', value: 1000 } },
    ],
  },
)
