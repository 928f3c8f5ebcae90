// The displayed name of a record. The server and the browser share this rule.
import { TYPE_CONTRACTS } from './attribute-types.ts'
import type { Attribute } from './attributes.ts'

/** Whether the values of an attribute can name records: each record has one text. */
export const canName = ({ type, isList }: Pick<Attribute, 'type' | 'isList'>): boolean =>
  !isList && TYPE_CONTRACTS[type].naming !== undefined

/** The attribute that names the records of an object; undefined if there is none. */
export const namingAttribute = <One extends { isNaming: boolean }>(
  attributes: readonly One[],
): One | undefined => attributes.find(({ isNaming }) => isNaming)

/** Longer names are cut to this length, in Unicode characters, as PostgreSQL counts. */
export const NAME_CHARACTERS_MAX = 300

/** The end of an id. Its beginning is a timestamp, which records that are created together share. */
export const shortId = (id: string): string => id.slice(-8)

const isName = (value: unknown): value is { firstName?: string; lastName?: string } =>
  typeof value === 'object' && value !== null

/** The text of a value that can name records; '' for other values. */
export function textNaming(value: unknown): string {
  if (typeof value === 'string') return value
  return isName(value) ? [value.firstName, value.lastName].filter(Boolean).join(' ') : ''
}

const shortened = (text: string): string =>
  text.length <= NAME_CHARACTERS_MAX ? text : Array.from(text).slice(0, NAME_CHARACTERS_MAX).join('')

/** @param attribute the result of `namingAttribute` */
export const recordName = (
  attribute: { slug: string } | undefined,
  { id, data }: { id: string; data: Readonly<Record<string, unknown>> },
): string => (attribute && shortened(textNaming(data[attribute.slug]))) || shortId(id)
