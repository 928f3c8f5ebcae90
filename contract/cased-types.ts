// A separate file, because few pages of the dashboard load it.
import { ATTRIBUTE_TYPES, type AttributeType, TYPE_CONTRACTS } from './attribute-types.ts'

/** Types with the setting `config.caseSensitive`, which decides whether unique values are case-sensitive. */
export const CASED: ReadonlySet<AttributeType> = new Set(
  ATTRIBUTE_TYPES.filter((type) => TYPE_CONTRACTS[type].isCased),
)
