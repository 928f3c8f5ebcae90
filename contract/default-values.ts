// Default values of attributes: what a new record gets that does not name the attribute.
import type { AttributeType } from './attribute-types.ts'

/** Types whose values name what can be deleted or depart. */
const NAMES_OTHERS: ReadonlySet<AttributeType> = new Set(['reference', 'member'])

/** Two records cannot have one unique value. */
export const mayHaveDefault = ({ type, isUnique }: { type: AttributeType; isUnique: boolean }): boolean =>
  !isUnique && !NAMES_OTHERS.has(type)

/** null where there is none. */
export interface WithDefault {
  defaultValue?: unknown
}

export const hasDefault = ({ defaultValue }: WithDefault): boolean => (defaultValue ?? null) !== null

/** Whether a new record must name it: it is required, and has no default value. */
export const mustBeGiven = (attribute: WithDefault & { isRequired: boolean }): boolean =>
  attribute.isRequired && !hasDefault(attribute)
