// Filters of records: one, and trees of them. Reports and workflows put their own leaves in the same groups.
import { type Static, Type } from 'typebox'
import { StrictObject } from './common.ts'
import { OPERANDS_MAX, SEARCH_OPERATORS } from './operators.ts'

/** A leaf, a group of which all or any must hold, or what must not hold. */
export type Tree<Leaf> = Leaf | { and: Tree<Leaf>[] } | { or: Tree<Leaf>[] } | { not: Tree<Leaf> }

const Operand = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
/** `in` and `notIn` take 1 to 100 values, `between` takes two; every other operator one. */
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
      'The slug of an attribute, `created_at`, `updated_at`, `created_by` or `id`, or, after a point, a part of the values of an attribute (`address.city`, `name.lastName`, `amount.currency`), or any of these of the records that up to two references lead to: `company.industry`, `contact.company.name`',
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
      'A filter, {"q": "text"} for free text, or {"and": […]}, {"or": […]} or {"not": {…}} of these, up to 5 levels deep. `not` matches exactly the records that what is in it does not match, also those without a value',
    examples: [
      { or: [{ attributeSlug: 'stage', operator: 'in', value: ['Won', 'Lost'] }] },
      { not: { attributeSlug: 'amount', operator: 'greaterThan', value: 1000 } },
    ],
  },
)
