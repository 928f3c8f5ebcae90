// Keys of unique values: rows of `uniques`. Case counts in values of text, name and url, unless the attribute's config
// excludes it. Keys without case differ from keys with case, so that a value can have both while the rule changes.
import { createHash } from 'node:crypto'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { CASED } from '../../../contract/cased-types.ts'
import { inNfc } from '../../../contract/single-line.ts'
import type { ValueAttribute } from './attribute.ts'
import { joinParts } from './parts.ts'

/** Longer normal forms are hashed, so that each fits into an index row. */
const UNIQUE_CHARS_MAX = 200

const HASHED = 'sha256:'

/** No other key begins with this: texts with the prefix of a hash are hashed. */
export const WITHOUT_CASE = `${HASHED}lower:`

/** Whether a normal form in `uniques` is a hash. */
export const isHashed = (value: string): boolean => value.startsWith(HASHED)

/** A text with the prefix of a hash is hashed too, so that it cannot be mistaken for one. */
export function indexable(normal: string): string {
  if (normal.length <= UNIQUE_CHARS_MAX && !isHashed(normal)) return normal
  return `${HASHED}${createHash('sha256').update(normal).digest('hex')}`
}

/** An attribute, and whether the rule about the case of its values is being changed. */
export type KeyedAttribute = Pick<ValueAttribute, 'type' | 'config'> & { isCaseChanging?: boolean }

/** Whether values that differ only in case are different. */
export const isCaseSensitive = ({ config }: Pick<KeyedAttribute, 'config'>): boolean =>
  !(config && 'caseSensitive' in config) || config.caseSensitive

/**
 * Like `lower` in PostgreSQL (filters/comparable.ts), also for emails: ß is not ss. I becomes i, but ı and İ do not.
 */
export const withoutCase = (text: string): string => text.toLowerCase()

const keyFor = (normal: string, isSensitive: boolean): string =>
  isSensitive ? indexable(normal) : WITHOUT_CASE + indexable(withoutCase(normal))

/** The key by the attribute's current rule, by which records are found. */
export const ruledKey = (attribute: KeyedAttribute, normal: string): string =>
  keyFor(normal, isCaseSensitive(attribute))

/** The key by the rule that the attribute may change to. */
export const otherKey = (attribute: KeyedAttribute, normal: string): string =>
  keyFor(normal, !isCaseSensitive(attribute))

/** Whether values also have keys by the other rule. */
export const hasBothKeys = ({ type, isCaseChanging }: KeyedAttribute): boolean =>
  isCaseChanging === true && CASED.has(type)

const normalsOf = (type: AttributeType, value: unknown): string[] =>
  [value ?? []].flat().map((element) => inNfc(joinParts(type, element, ' ')))

const keysOf = (attribute: KeyedAttribute, value: unknown, keyOf: typeof ruledKey): string[] => {
  const normals = normalsOf(attribute.type, value).filter((normal) => normal !== '')
  return [...new Set(normals.map((normal) => keyOf(attribute, normal)))]
}

/** Keys of a record's value by the rule that its attribute is getting. The type must be one whose case may count. */
export const otherKeysOfStored = (attribute: KeyedAttribute, value: unknown): string[] =>
  keysOf(attribute, value, otherKey)

/** Keys that a record's value has now. The type must be one whose case may count. */
export const allKeysOfStored = (attribute: KeyedAttribute, value: unknown): string[] => [
  ...keysOf(attribute, value, ruledKey),
  ...(hasBothKeys(attribute) ? otherKeysOfStored(attribute, value) : []),
]
