// In a separate file: few pages of the dashboard need it.
import { ATTRIBUTE_TYPES, type AttributeType, TYPE_CONTRACTS } from './attribute-types.ts'

/** Types of whose unique values the case counts or does not: `config.caseSensitive`. */
export const CASED: ReadonlySet<AttributeType> = new Set(
  ATTRIBUTE_TYPES.filter((type) => TYPE_CONTRACTS[type].isCased),
)
