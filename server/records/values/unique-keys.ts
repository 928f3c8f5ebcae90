// Keys of unique values: rows of `uniques`. Case counts in values of text, name and url, unless the attribute says
// otherwise. Keys without case are apart from those with case, so that a value can have both while the rule changes.
import { createHash } from 'node:crypto'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { CASED } from '../../../contract/cased-types.ts'
import { inNfc } from '../../../contract/single-line.ts'
import type { ValueAttribute } from './attribute.ts'
import { joinParts } from './parts.ts'

/** Longer normal forms are hashed, so that each fits into an index row. */
const UNIQUE_CHARS_MAX = 200

const HASHED = 'sha256:'

/** No other key begins so: texts with the prefix of a hash are hashed. */
export const WITHOUT_CASE = `${HASHED}lower:`

/** Of a normal form as unique values have it. */
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

/** As `lower` in PostgreSQL (filters/comparable.ts), for emails too: ß is not ss, and of ı, i and İ only I is i. */
export const withoutCase = (text: string): string => text.toLowerCase()

const keyFor = (normal: string, isSensitive: boolean): string =>
  isSensitive ? indexable(normal) : WITHOUT_CASE + indexable(withoutCase(normal))

/** The key by the rule of the attribute, by which records are found. */
export const ruledKey = (attribute: KeyedAttribute, normal: string): string =>
  keyFor(normal, isCaseSensitive(attribute))

/** The key by the rule that the attribute may get. */
export const otherKey = (attribute: KeyedAttribute, normal: string): string =>
  keyFor(normal, !isCaseSensitive(attribute))

/** Whether values have keys by the other rule as well. */
export const hasBothKeys = ({ type, isCaseChanging }: KeyedAttribute): boolean =>
  isCaseChanging === true && CASED.has(type)

const normalsOf = (type: AttributeType, value: unknown): string[] =>
  [value ?? []].flat().map((element) => inNfc(joinParts(type, element, ' ')))

const keysOf = (attribute: KeyedAttribute, value: unknown, keyOf: typeof ruledKey): string[] => {
  const normals = normalsOf(attribute.type, value).filter((normal) => normal !== '')
  return [...new Set(normals.map((normal) => keyOf(attribute, normal)))]
}

/** Keys that the value of a record has by the rule that its attribute is getting. The type is one whose case may count. */
export const otherKeysOfStored = (attribute: KeyedAttribute, value: unknown): string[] =>
  keysOf(attribute, value, otherKey)

/** Keys that the value of a record has at present. The type is one whose case may count. */
export const allKeysOfStored = (attribute: KeyedAttribute, value: unknown): string[] => [
  ...keysOf(attribute, value, ruledKey),
  ...(hasBothKeys(attribute) ? otherKeysOfStored(attribute, value) : []),
]
