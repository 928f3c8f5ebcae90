// Default values of attributes: the value of a new record if the request does not contain the attribute.
import type { AttributeType } from './attribute-types.ts'

/** Types whose values refer to records or members, which can be deleted or leave. */
const NAMES_OTHERS: ReadonlySet<AttributeType> = new Set(['reference', 'member'])

/** Unique attributes have no default value, because several records would get it. */
export const mayHaveDefault = ({ type, isUnique }: { type: AttributeType; isUnique: boolean }): boolean =>
  !isUnique && !NAMES_OTHERS.has(type)

/** `defaultValue`: null or absent if there is none. */
export interface WithDefault {
  defaultValue?: unknown
}

export const hasDefault = ({ defaultValue }: WithDefault): boolean => (defaultValue ?? null) !== null

/** Whether a new record must have a value: the attribute is required and has no default value. */
export const mustBeGiven = (attribute: WithDefault & { isRequired: boolean }): boolean =>
  attribute.isRequired && !hasDefault(attribute)
